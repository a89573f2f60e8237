//go:build linux

package toolset_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"countersign/backend/tool"
	"countersign/backend/toolset"
	"countersign/backend/toolset/manifest"
)

// built is a directory in which a program would find the host beside it, with the assemblies of
// testdata in assemblies. It is built once for all tests, and goes with the first of them that
// TestMain ends.
var built = sync.OnceValues(build)

// assemblies is the directory of the assemblies within what was built.
const assemblies = "assemblies"

func build() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "dotnet"); err != nil {
		return "", err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	host := filepath.Join(dir, "dotnet-host")
	if out, err := exec.Command("../../build/dotnet-host/build.sh", host).CombinedOutput(); err != nil {
		return "", &exec.Error{Name: string(out), Err: err}
	}
	to := filepath.Join(dir, assemblies)
	if err := os.Mkdir(to, 0o755); err != nil {
		return "", err
	}
	for _, name := range []string{"Helper", "Sample", "Trouble", "Lonely"} {
		args := []string{"-langversion:7", "-target:library", "-out:" + filepath.Join(to, name+".dll"), "-warnaserror+"}
		for _, contract := range []string{"Crystal", "Crystal.Tools", "CrystalCode.Tools"} {
			args = append(args, "-r:"+filepath.Join(host, "mono", contract+".dll"))
		}
		if name == "Lonely" {
			args = append(args, "-r:"+filepath.Join(to, "Helper.dll"))
		}
		if out, err := exec.Command("mcs", append(args, "testdata/dotnet/"+name+".cs")...).CombinedOutput(); err != nil {
			return "", &exec.Error{Name: string(out), Err: err}
		}
	}
	return dir, nil
}

// remove removes what was built.
var remove = func() {}

// dotnet finds the host of the tests and the runtime of this machine.
func (b *bed) dotnet() *toolset.Dotnet {
	b.t.Helper()
	dir, err := built()
	if err != nil {
		b.t.Fatalf("what build/dev/setup.sh test installs is needed: %v", err)
	}
	d, err := toolset.FindDotnet(filepath.Join(dir, "countersign"), "/usr/bin:/bin")
	if err != nil {
		b.t.Fatal(err)
	}
	return d
}

// assemble lays a set of the home with assemblies of testdata, of which it is about the first.
func (b *bed) assemble(directory, fields string, names ...string) {
	b.t.Helper()
	b.dotnet()
	dir, _ := built()
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, assemblies, name))
		if err != nil {
			b.t.Fatal(err)
		}
		put(b.t, filepath.Join(b.home(directory), name), data)
	}
	put(b.t, filepath.Join(b.home(directory), manifest.FileName), []byte(`{"runner":"dotnet","assembly":"`+names[0]+`"`+fields+`}`))
}

// look scans with a host that lists assemblies.
func (b *bed) look(limit time.Duration) toolset.Inventory {
	b.t.Helper()
	d := b.dotnet()
	if limit > 0 {
		d.ListLimit = limit
	}
	got, err := toolset.Scan(b.t.Context(), toolset.Options{
		Trees: b.places.Trees(), Trusted: true, Reserved: reserved,
		Dotnet: func(ctx context.Context, e toolset.Entry) ([]manifest.Described, []manifest.Note, error) {
			return d.List(ctx, b.host.Programs, e)
		},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	legibleNotes(b.t, got.Notes)
	return got
}

// sample lays the set of the sample and returns one of its tools.
func (b *bed) sample(name, fields string) tool.Spec {
	b.t.Helper()
	b.assemble("Sample", fields, "Sample.dll")
	inventory := b.look(0)
	for _, s := range toolset.Specs(inventory.Entries[0], toolset.Facts{Home: b.places.Home, Fingerprint: "f1", Dotnet: b.dotnet()}) {
		if s.ID == name {
			return s
		}
	}
	b.t.Fatalf("%s is not loaded: %v %v", name, statuses(inventory), inventory.Notes)
	return tool.Spec{}
}
