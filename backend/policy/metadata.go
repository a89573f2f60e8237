package policy

import (
	"encoding/binary"
	"net/netip"
	"strconv"
	"strings"

	"countersign/backend/policy/shellcmd"
	"countersign/backend/tool"
)

// metadataNames are the names under which clouds serve credentials to their machines.
var metadataNames = []string{
	"metadata.google.internal", "metadata.goog", "metadata", "instance-data", "instance-data.ec2.internal",
}

// metadataRanges are the addresses that serve credentials: link-local ones, and those
// that single clouds use besides.
var metadataRanges = []netip.Prefix{
	netip.MustParsePrefix("169.254.0.0/16"),
	netip.MustParsePrefix("fe80::/10"),
	netip.MustParsePrefix("fd00:ec2::254/128"),
	netip.MustParsePrefix("fd20:ce::254/128"),
	netip.MustParsePrefix("100.100.100.200/32"),
	netip.MustParsePrefix("192.0.0.192/32"),
	netip.MustParsePrefix("168.63.129.16/32"),
}

// metadataHost reports whether a host name, in whatever spelling resolvers take, is an
// address where machines give out credentials. A name that only a resolver leads there
// is caught where the connection is made.
func metadataHost(host string) bool {
	for _, name := range metadataNames {
		if host == name {
			return true
		}
	}
	addr, ok := hostAddress(host)
	if !ok {
		return false
	}
	for _, inner := range carried(addr) {
		for _, r := range metadataRanges {
			if r.Contains(inner) {
				return true
			}
		}
	}
	return false
}

// metadataCommand reports whether a command names an address where machines give out
// credentials, as a host or as an address of the web.
func metadataCommand(r *shellcmd.Reading) (subject string, hit bool) {
	for i := range r.Commands {
		for _, h := range r.Commands[i].Hosts {
			if metadataHost(bareHost(h)) {
				return shown(&r.Commands[i]) + " reaches " + tool.ShowPath(clipHead(h)) + ", which", true
			}
		}
	}
	return "", false
}

// bareHost is the name in a host as programs take it: with a scheme, a user, a port, a path.
func bareHost(h string) string {
	if _, rest, ok := strings.Cut(h, "://"); ok {
		h = rest
	}
	h, _, _ = strings.Cut(h, "/")
	if i := strings.LastIndexByte(h, '@'); i >= 0 {
		h = h[i+1:]
	}
	if inner, ok := strings.CutPrefix(h, "["); ok {
		h, _, _ = strings.Cut(inner, "]")
	} else if name, _, ok := strings.Cut(h, ":"); ok && strings.Count(h, ":") == 1 {
		h = name
	}
	return strings.TrimSuffix(strings.ToLower(h), ".")
}

func hostAddress(host string) (netip.Addr, bool) {
	if a, err := netip.ParseAddr(host); err == nil {
		return a.WithZone(""), true
	}
	return looseIPv4(host)
}

// carried returns an address with the IPv4 addresses that translators find in it:
// mapped, compatible, NAT64 and 6to4.
func carried(a netip.Addr) []netip.Addr {
	out := []netip.Addr{a.Unmap()}
	if !a.Is6() {
		return out
	}
	b := a.As16()
	v4 := func(i int) { out = append(out, netip.AddrFrom4([4]byte(b[i:i+4]))) }
	switch {
	case b[0] == 0x20 && b[1] == 0x02:
		v4(2)
	case b[0] == 0 && b[1] == 0x64 && b[2] == 0xff && b[3] == 0x9b:
		v4(12)
	case netip.AddrFrom16([16]byte(append(make([]byte, 12), b[12:]...))) == a:
		v4(12)
	}
	return out
}

// looseIPv4 reads the forms that inet_aton takes: one to four numbers, each decimal,
// octal or hexadecimal, the last filling what is left.
func looseIPv4(host string) (netip.Addr, bool) {
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var ip uint64
	for i, p := range parts {
		n, err := strconv.ParseUint(octal(p), 0, 32)
		if err != nil || strings.ContainsAny(p, "_ob") && !strings.HasPrefix(p, "0x") {
			return netip.Addr{}, false
		}
		if i < len(parts)-1 {
			if n > 255 {
				return netip.Addr{}, false
			}
			ip |= n << (24 - 8*i)
			continue
		}
		if n >= 1<<(32-8*i) {
			return netip.Addr{}, false
		}
		ip |= n
	}
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], uint32(ip))
	return netip.AddrFrom4(b), true
}

// octal writes a leading zero as resolvers mean it.
func octal(p string) string {
	if len(p) > 1 && p[0] == '0' && p[1] >= '0' && p[1] <= '9' {
		return "0o" + p[1:]
	}
	return p
}
