//go:build !linux

package mcp

import (
	"context"
	"errors"
	"net"
)

// place refuses where the user of the other side cannot be checked: a desk then does
// not start its socket, and a bridge finds none.
type place struct{}

func openPlace(string) (*place, error) {
	return nil, errors.New("the desk's socket is not available on this system")
}

func (*place) Close() error                                { return nil }
func (*place) remove() error                               { return nil }
func (*place) listen() (*net.UnixListener, error)          { return nil, errors.ErrUnsupported }
func (*place) dial(context.Context) (*net.UnixConn, error) { return nil, errors.ErrUnsupported }

func ownPeer(*net.UnixConn) (int, error) { return 0, errors.ErrUnsupported }
