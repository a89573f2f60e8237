package policy

import (
	"crypto/sha256"
	_ "embed" // the reviewed matrix is part of the version
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"

	"countersign/backend/policy/pathclass"
	"countersign/backend/session"
)

// Version names the rules that a decision was made under: profile@sha12+hsha8. The
// first hash is over the packaged rules and the settings that a decision reads (preset,
// read-only lock, allowed hosts), the second over the frozen list. Two programs that
// decide alike print the same version. The catalog and the sets are not in it: they
// decide what may be called at all, before policy is asked.
func Version(r session.Rules) string {
	profile := session.ProfileStrict
	if r.Profile == session.ProfileDesktop {
		profile = session.ProfileDesktop
	}
	p := packaged()
	b := make([]byte, 0, 256)
	b = append(b, p.rules[:]...)
	b = append(b, profile...)
	b = append(b, 0)
	b = append(b, presetWords[presetIndex(r.Preset)].preset...)
	if r.ReadOnly {
		b = append(b, " read-only"...)
	}
	for _, d := range sortedDomains(r.AllowedDomains) {
		b = append(b, 0)
		b = append(b, d...)
	}
	if a := r.Authors; a != (session.Authors{}) {
		b = append(b, 0)
		b = strconv.AppendBool(append(b, " authors"...), a.Home)
		b = strconv.AppendBool(b, a.Project)
	}
	sum := sha256.Sum256(b)
	out := append(b[:0], profile...)
	out = append(out, '@')
	out = hex.AppendEncode(out, sum[:6])
	out = append(out, "+h"...)
	out = hex.AppendEncode(out, p.hard[:4])
	return string(out)
}

// Packaged names the part of every version that comes with the program: its rules and its
// frozen list, whatever the settings are.
func Packaged() string { return packaged().name }

// sortedDomains returns the hosts as they are compared, so that spelling and order do
// not make another version.
func sortedDomains(domains []string) []string {
	if len(domains) == 0 {
		return nil
	}
	out := make([]string, 0, len(domains))
	for _, d := range domains {
		out = append(out, strings.ToLower(strings.TrimSuffix(d, ".")))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

type packagedHashes struct {
	rules, hard [sha256.Size]byte
	name        string
}

// golden is the matrix as a person last read it. Load refuses the start when the code
// decides anything else.
//
//go:embed testdata/matrix.golden
var golden string

// packaged hashes what is part of the program. The matrix goes in as its printed text,
// which shows what every class gets under every preset, and not only how the tables read.
var packaged = sync.OnceValue(func() packagedHashes {
	paths, err := json.Marshal(pathclass.Rules())
	if err != nil {
		panic(err) // plain data of our own
	}
	type frozen struct {
		ID, Words      string
		Blocks, Spares Facts
	}
	list := make([]frozen, 0, len(hardRules))
	for _, r := range hardRules {
		list = append(list, frozen{r.id, r.words, r.blocks, r.spares})
	}
	hard, err := json.Marshal(list)
	if err != nil {
		panic(err) // plain data of our own
	}
	p := packagedHashes{
		rules: sha256.Sum256(append([]byte(golden), paths...)),
		hard:  sha256.Sum256(hard),
	}
	whole := sha256.Sum256(append(p.rules[:], p.hard[:]...))
	p.name = hex.EncodeToString(whole[:6])
	return p
})
