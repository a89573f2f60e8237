package mcp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// place is home, held open. A socket's address holds 107 bytes, so it is reached by
// way of the open folder, and a home with a long path works like any other.
type place struct{ dir *os.File }

func openPlace(home string) (*place, error) {
	dir, err := os.OpenFile(home, os.O_RDONLY|syscall.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	return &place{dir: dir}, nil
}

func (p *place) Close() error { return p.dir.Close() }

func (p *place) address() *net.UnixAddr {
	folder := filepath.Join("/proc/self/fd", strconv.Itoa(int(p.dir.Fd())))
	return &net.UnixAddr{Net: "unix", Name: filepath.Join(folder, socketName)}
}

func (p *place) dial(ctx context.Context) (*net.UnixConn, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", p.address().Name)
	switch {
	case errors.Is(err, os.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED):
		return nil, ErrNoDesk
	case err != nil:
		return nil, fmt.Errorf("dial the desk's socket: %w", err)
	}
	return conn.(*net.UnixConn), nil
}

// listen binds the socket for the user alone, in the place of one that is left over.
func (p *place) listen() (*net.UnixListener, error) {
	conn, err := p.dial(context.Background())
	if err == nil {
		return nil, errors.Join(errors.New("another program answers there"), conn.Close())
	}
	if !errors.Is(err, ErrNoDesk) {
		return nil, err
	}
	if err := p.remove(); err != nil {
		return nil, err
	}
	l, err := net.ListenUnix("unix", p.address())
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false)
	// Home is closed to others and the peer is checked too; this is the third lock.
	if err := unix.Fchmodat(int(p.dir.Fd()), socketName, 0o600, 0); err != nil {
		return nil, errors.Join(fmt.Errorf("close the socket to others: %w", err), l.Close(), p.remove())
	}
	return l, nil
}

// remove takes the socket away. Anything else under its name stays and is an error.
func (p *place) remove() error {
	var st unix.Stat_t
	err := unix.Fstatat(int(p.dir.Fd()), socketName, &st, unix.AT_SYMLINK_NOFOLLOW)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at the desk's socket: %w", err)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFSOCK {
		return errors.New("what lies under the name of the desk's socket is no socket")
	}
	if err := unix.Unlinkat(int(p.dir.Fd()), socketName, 0); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("remove the desk's socket: %w", err)
	}
	return nil
}

// ownPeer checks that the other side of a connection is a program of the same user, and
// returns its process.
func ownPeer(conn *net.UnixConn) (process int, err error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, err
	}
	var peer *unix.Ucred
	var peerErr error
	if err := raw.Control(func(fd uintptr) {
		peer, peerErr = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	}); err != nil {
		return 0, err
	}
	if peerErr != nil {
		return 0, fmt.Errorf("ask who is there: %w", peerErr)
	}
	if int(peer.Uid) != os.Geteuid() {
		return 0, errors.New("it is a program of another user")
	}
	return int(peer.Pid), nil
}
