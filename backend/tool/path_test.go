package tool_test

import (
	"testing"

	"countersign/backend/tool"
)

func TestPathsAreShownOnOneLine(t *testing.T) {
	for path, want := range map[string]string{
		"/w/a b/ä.txt":     "/w/a b/ä.txt",
		"/w/a\x1b[2Kb":     `/w/a\x1b[2Kb`,
		"/w/a\nb":          `/w/a\nb`,
		"/w/a\u202eb":      `/w/a\u202eb`,
		"/w/a\xffb":        `/w/a\xffb`,
		"/w/a\ufffdb":      "/w/a\ufffdb",
		"/w/cafe\u0301.md": "/w/cafe\u0301.md",
		`/w/a\nb`:          `/w/a\nb`,
	} {
		if got := tool.ShowPath(path); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

func TestChildLiesBelowItsDirectory(t *testing.T) {
	e := tool.Entry{Name: "x", Kind: tool.KindDirectory}
	for _, row := range []struct{ dir, want tool.Path }{
		{
			tool.Path{Arg: ".", Abs: "/w", Real: "/w", Rel: ".", Zone: tool.ZoneWorkspace},
			tool.Path{Arg: "/w/x", Abs: "/w/x", Real: "/w/x", Rel: "x", Zone: tool.ZoneWorkspace, Kind: tool.KindDirectory},
		},
		{
			tool.Path{Arg: "d", Abs: "/w/l", Real: "/w/d", Rel: "d", Zone: tool.ZoneWorkspace, Linked: true},
			tool.Path{Arg: "/w/d/x", Abs: "/w/d/x", Real: "/w/d/x", Rel: "d/x", Zone: tool.ZoneWorkspace, Kind: tool.KindDirectory},
		},
		{
			tool.Path{Arg: "/", Abs: "/", Real: "/", Zone: tool.ZoneOutside},
			tool.Path{Arg: "/x", Abs: "/x", Real: "/x", Zone: tool.ZoneOutside, Kind: tool.KindDirectory},
		},
	} {
		if got := row.dir.Child(e); got != row.want {
			t.Errorf("got  %+v\nwant %+v", got, row.want)
		}
	}
}

func TestFileReasonsSpeakForEachCode(t *testing.T) {
	all := []tool.Code{
		tool.CodeNotRead, tool.CodeStale, tool.CodeIsDirectory, tool.CodeNotAFile, tool.CodeNotDirectory,
		tool.CodeTooLarge, tool.CodeFileNotFound, tool.CodeIO,
	}
	got := tool.FileReasons(append(all, "tool.made.up")...)
	if len(got) != len(all) {
		t.Fatalf("%d reasons for %d codes", len(got), len(all))
	}
	for i, r := range got {
		if r.Code != all[i] || !r.Code.Known() || r.Sentence == "" || r.Status != tool.StatusFailed {
			t.Errorf("%+v", r)
		}
	}
}
