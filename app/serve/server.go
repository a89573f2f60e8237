package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"countersign/app/bridge"
)

// Limits of the wire.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 15 * time.Second
	writeTimeout  = 30 * time.Second
	idleTimeout   = 60 * time.Second
	closeTimeout  = 3 * time.Second
	// maxHeaderBytes bounds the head of a request.
	maxHeaderBytes = 16 << 10
	// maxSockets is how many pages may be open.
	maxSockets = 32
)

// Config is what a Server is made of.
type Config struct {
	API    *bridge.API
	Source bridge.Source
	// Assets is the built page, index.html at its root.
	Assets fs.FS
	// Random is where secrets come from.
	Random io.Reader
	// Say prints a line on serve's own terminal; it is called from several goroutines.
	Say func(line string)
	Log *slog.Logger
}

// Server serves the page to whoever opened its one-time link.
type Server struct {
	config  Config
	gate    *gate
	address Address
	port    string
	sockets chan struct{}
	work    sync.WaitGroup
}

// New makes a server for an address and the listener that was opened for it.
func New(c Config, a Address, l net.Listener) (*Server, error) {
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return nil, fmt.Errorf("read the port: %w", err)
	}
	return &Server{
		config: c, gate: &gate{random: c.Random}, address: a, port: port, sockets: make(chan struct{}, maxSockets),
	}, nil
}

// Link makes a one-time link. One that was not used yet stops working.
func (s *Server) Link() (string, error) {
	token, err := s.gate.link()
	if err != nil {
		return "", err
	}
	return "http://" + net.JoinHostPort(s.linkHost(), s.port) + "/?token=" + token, nil
}

// linkHost is the host that a person can open: an address that stands for every
// network is opened on this machine.
func (s *Server) linkHost() string {
	if ip := net.ParseIP(s.address.host); ip != nil && ip.IsUnspecified() {
		return "127.0.0.1"
	}
	return s.address.host
}

// Renew prints a new one-time link on the terminal.
func (s *Server) Renew() {
	link, err := s.Link()
	if err != nil {
		s.config.Log.Error("make a link", "cause", err)
		return
	}
	s.config.Say("A new link to Countersign: " + link)
}

// Serve answers on l until ctx ends. It returns after every page was let go.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	server := &http.Server{
		Handler:           s.handler(),
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(s.config.Log.Handler(), slog.LevelDebug),
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		<-ctx.Done()
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
		defer cancel()
		if err := server.Shutdown(grace); err != nil {
			_ = server.Close()
		}
	}()
	err := server.Serve(l)
	cancel()
	<-done
	s.work.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("serve the page: %w", err)
}
