package main

import (
	"log/slog"
	"os"

	"github.com/wailsapp/wails/v2/pkg/logger"
)

// wailsLog writes what Wails says into the log of this program. Wails ends the program
// after Fatal by itself.
type wailsLog struct{ log *slog.Logger }

var _ logger.Logger = wailsLog{}

func (l wailsLog) Print(text string)   { l.log.Info("wails", "text", text) }
func (l wailsLog) Trace(text string)   { l.log.Debug("wails", "text", text) }
func (l wailsLog) Debug(text string)   { l.log.Debug("wails", "text", text) }
func (l wailsLog) Info(text string)    { l.log.Info("wails", "text", text) }
func (l wailsLog) Warning(text string) { l.log.Warn("wails", "text", text) }
func (l wailsLog) Error(text string)   { l.log.Error("wails", "text", text) }

func (l wailsLog) Fatal(text string) {
	l.log.Error("wails gave up", "text", text)
	_, _ = os.Stderr.WriteString("The window could not go on. Its log in the home folder has the cause.\n")
}
