package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
)

// Address is where to listen.
type Address struct {
	host string
	port string
}

// errAddress says what an address looks like; it does not repeat what was written.
var errAddress = errors.New("--listen takes HOST:PORT with the host named, for example 127.0.0.1:0")

// ParseAddress reads HOST:PORT. The host has to be named: ":8080" would mean every
// network of the machine without saying so.
func ParseAddress(text string) (Address, error) {
	host, port, err := net.SplitHostPort(text)
	if err != nil || host == "" || port == "" {
		return Address{}, errAddress
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return Address{}, errAddress
	}
	return Address{host: strings.ToLower(host), port: port}, nil
}

// Loopback reports whether only this machine can reach the address.
func (a Address) Loopback() bool {
	if a.host == "localhost" {
		return true
	}
	ip := net.ParseIP(a.host)
	return ip != nil && ip.IsLoopback()
}

// Warning is a sentence for an address that others can reach, "" on loopback.
func (a Address) Warning() string {
	if a.Loopback() {
		return ""
	}
	return "Warning: this address can be reached from other machines, and what goes over it is not encrypted. " +
		"Whoever reads the link or the traffic can allow calls. An SSH tunnel to 127.0.0.1 is safer."
}

// Listen opens the address. A name is looked up once.
func (a Address) Listen(ctx context.Context) (net.Listener, error) {
	host := a.host
	if host == "localhost" {
		host = "127.0.0.1"
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(host, a.port))
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	return l, nil
}
