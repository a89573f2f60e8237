package policy

import "countersign/backend/tool"

// systemFolders are those without which the machine, or all of its users, have nothing left to
// work with. What lies below one is asked for like all that lies outside the workspace.
var systemFolders = map[string]bool{
	"/bin": true, "/boot": true, "/dev": true, "/etc": true, "/home": true, "/lib": true, "/lib32": true, "/lib64": true, "/libx32": true,
	"/proc": true, "/root": true, "/run": true, "/sbin": true, "/sys": true, "/usr": true, "/var": true,
	"/usr/bin": true, "/usr/lib": true, "/usr/lib32": true, "/usr/lib64": true, "/usr/libexec": true, "/usr/libx32": true, "/usr/sbin": true, "/usr/share": true,
	"/var/lib":      true,
	"/Applications": true, "/Library": true, "/System": true, "/Users": true, "/private": true, "/private/etc": true, "/private/var": true,
}

// removal notes a touch that takes a folder away with all below it which nobody may take away.
func (v *view) removal(t *tool.Touch) {
	switch {
	case v.holds(t, v.UserHome) || t.Path.Real == "/" || t.Path.Abs == "/":
		if v.removesRoot == nil {
			v.removesRoot = t
		}
	case v.removesSystem == nil && (v.ofSystem(t.Path.Real) || v.ofSystem(t.Path.Abs)):
		v.removesSystem = t
	}
}

// ofSystem says whether a path is a folder of the system. One that the workspace encloses is
// the workspace's.
func (v *view) ofSystem(path string) bool {
	return systemFolders[path] && (v.Workspace == "/" || !encloses(v.Workspace, path))
}
