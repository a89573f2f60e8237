package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"

	"countersign/app/bridge"
	"countersign/app/desk"
	"countersign/app/plain"
	"countersign/backend/config"
	"countersign/backend/host/clock"
	"countersign/backend/host/desktop"
	"countersign/frontend"
)

const (
	title = "Countersign"
	// The size of a first start and the smallest one that the page is made for.
	firstWidth, firstHeight = 1280, 800
	minWidth, minHeight     = 900, 600
	// maxSide takes the limit off that Wails sets: the size of the screen on which the
	// window opened, which may not be the one where it ends up.
	maxSide = 1 << 14
)

// closeTime bounds the end of the desk once the window is gone.
const closeTime = 20 * time.Second

// show opens the window on a desk, on the thread that opened the display, and returns after both are gone.
func (p *program) show(ctx context.Context, d *desk.Desk) (err error) {
	defer func() { err = errors.Join(err, end(d)) }()
	surface := newWailsWindow()
	// A page that is still there is answered, whatever asks the window to close.
	there, leave := context.WithCancel(context.WithoutCancel(ctx))
	defer leave()
	w := newWindow(there, d, surface)
	if err := d.Welcome(func() string { surface.front(); return fronted(d.Workspace()) }); err != nil {
		return p.explain(ctx, err)
	}
	defer w.memory.end()
	defer w.pump.end()
	w.notices.begin()
	defer w.notices.end()
	// A signal closes the window without a question.
	stop := context.AfterFunc(ctx, w.leaving.quit)
	defer stop()

	was := w.memory.was()
	if was.Width == 0 {
		was.Width, was.Height = firstWidth, firstHeight
	}
	at := fit(was)
	o := look(at, d.Settings().Theme)
	begin := func() beginning { return beginning{d.Settings().Theme, w.memory.view()} }
	o.AssetServer = &assetserver.Options{Assets: frontend.Assets(), Middleware: assets(begin, bridge.ImagesOf(d.API))}
	o.Logger, o.Bind = wailsLog{d.Log}, []any{w}
	o.OnStartup = p.begun(surface, at, follower{w.memory, w.notices, d.Log})
	// Wails would end its loop from another thread, so it never does: the loop ends here.
	o.OnBeforeClose = func(context.Context) bool { w.leaving.wanted(); return true }
	return wails.Run(o)
}

// fronted says to whoever starts it a second time that the window is open and where it
// works, which may not be where he is.
func fronted(workspace string) string {
	return "Countersign is open already and has come to the front. It works in " + desk.Visible(workspace) + ".\n" +
		"Agents of every folder join it. To open it on another folder, close it first."
}

// end closes the desk, for a bounded time: the window is gone, and nobody would see a
// program that hangs.
func end(d *desk.Desk) error {
	done := make(chan error, 1)
	go func() { done <- d.Close() }()
	select {
	case err := <-done:
		if err != nil {
			return &desk.Refusal{Words: "The desk could not end in order. Its log in the home folder has the cause.", Cause: err}
		}
		return nil
	case <-time.After(closeTime):
		return &desk.Refusal{Words: "The desk did not end in time. Calls that were under way are told of at the next start."}
	}
}

// explain says why there is no desk: on the terminal, and in a window for whoever clicked
// an icon.
func (p *program) explain(ctx context.Context, cause error) error {
	words := desk.Sentence(cause)
	fmt.Fprintln(p.stderr, words)
	surface := newWailsWindow()
	stop := context.AfterFunc(ctx, surface.quit)
	defer stop()
	at := fit(config.Window{Width: minWidth, Height: minHeight})
	o := look(at, config.ThemeSystem)
	page := say(plain.Page{Title: "Countersign could not start", Words: words})
	o.AssetServer = &assetserver.Options{Handler: page, Middleware: func(http.Handler) http.Handler { return page }}
	o.OnStartup = p.begun(surface, at, nobody{})
	o.OnBeforeClose = func(context.Context) bool { surface.quit(); return true }
	return errors.Join(errSaid, wails.Run(o))
}

// begun is what every window does first, once Wails has one.
func (p *program) begun(s *wailsWindow, at config.Window, to watcher) func(context.Context) {
	return func(ctx context.Context) {
		p.interrupts.claim()
		s.begin(ctx)
		adopt(at, to)
	}
}

// look is what every window of this program looks like.
func look(at config.Window, theme config.Theme) *options.App {
	behind := background(theme)
	paint(behind.R, behind.G, behind.B)
	o := &options.App{
		Title: title, Width: at.Width, Height: at.Height,
		MinWidth: minWidth, MinHeight: minHeight, MaxWidth: maxSide, MaxHeight: maxSide,
		BackgroundColour: behind,
		// What the menu has is decided in adopt.
		EnableDefaultContextMenu: true,
		DragAndDrop:              &options.DragAndDrop{DisableWebViewDrop: true},
		Linux: &linux.Options{
			ProgramName: "countersign-desktop",
			// The page is text and lines. Drawn without the GPU it takes a third less memory
			// and is there sooner, and no driver of a graphics card can spoil it.
			WebviewGpuPolicy: linux.WebviewGpuPolicyNever,
		},
	}
	// Not the drawing: GTK can read it only with a library that need not be there, and that
	// costs six megabytes where it is.
	if icon, err := fs.ReadFile(frontend.Assets(), "icon.png"); err == nil {
		o.Linux.Icon = icon
	}
	return o
}

// background is the page's own, so that a window that opens in the dark is never white.
func background(theme config.Theme) *options.RGBA {
	if theme == config.ThemeDark || theme == config.ThemeSystem && systemIsDark() {
		return options.NewRGB(0x13, 0x14, 0x17)
	}
	return options.NewRGB(0xf5, 0xf5, 0xf7)
}

// newWindow makes what the page may call, until ctx ends.
func newWindow(ctx context.Context, d *desk.Desk, s surface) *Window {
	w := &Window{ctx: ctx, api: d.API, log: d.Log, room: make(chan struct{}, bridge.MaxInFlight), surface: s}
	w.memory = newMemory(d.Paths(), d.Log)
	w.pump = &pump{source: d, emit: s.emit, clock: clock.System()}
	w.notices = newNotices(d, s)
	w.leaving = &leaving{
		count: func() stake {
			// Where calls cannot be counted there is no question about them: closing runs nothing.
			ctx, cancel := context.WithTimeout(w.ctx, askPatience)
			defer cancel()
			n, err := d.Waiting(ctx)
			if err != nil {
				d.Log.Error("count the waiting calls", "cause", err)
			}
			return stake{Waiting: n, Processes: d.OwnProcesses()}
		},
		ask:   func(what stake) { s.emit(quitEvent, what) },
		close: s.quit,
	}
	return w
}

// newNotices makes what tells through the desktop of this session. A click brings the card.
func newNotices(d *desk.Desk, s surface) *notices {
	n := &notices{
		source: d, log: d.Log, moved: make(chan struct{}, 1),
		waiting: func(ctx context.Context) ([]bridge.Waiting, error) { return bridge.WaitingOf(ctx, d.API) },
		setting: func() config.Notifications { return d.Settings().Notifications },
	}
	n.service = desktop.NewNotifier(config.BusAddress(), func() {
		s.front()
		s.emit(openEvent, n.opens())
	})
	return n
}
