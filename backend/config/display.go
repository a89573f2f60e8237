package config

import (
	"os"
	"path/filepath"
	"strings"
)

// inspectorPrefix begins the variables that make WebKit open a port for its inspector.
const inspectorPrefix = "WEBKIT_INSPECTOR_"

// CloseInspector takes every variable out of the environment that would make the window
// open a port for an inspector. Whoever reaches that port can click in the window, and a
// port is open to every user of the machine; the variable may stand in a profile since a
// day of web development. It must run before anything of WebKit does.
//
// Variables that load code into a program (LD_PRELOAD, GTK_MODULES) stay: who may set
// those for this user can do as this user, and no program can defend itself against that.
func CloseInspector() {
	for _, entry := range os.Environ() {
		if name, _, _ := strings.Cut(entry, "="); strings.HasPrefix(name, inspectorPrefix) {
			_ = os.Unsetenv(name)
		}
	}
}

// HasDisplay reports whether this session names a screen to open a window on.
func HasDisplay() bool { return os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "" }

// BusAddress is where the message bus of this session listens, "" where none is known. What a
// login manager leaves out is found where it always lies.
func BusAddress() string {
	if address := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); address != "" {
		return address
	}
	socket := filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "bus")
	if info, err := os.Stat(socket); filepath.IsAbs(socket) && err == nil && info.Mode().Type() == os.ModeSocket {
		return "unix:path=" + socket
	}
	return ""
}

// Environment is what this program was started with, for a program that takes its place.
func Environment() []string { return os.Environ() }
