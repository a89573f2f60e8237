package bridge

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBytesThatAreNoTextAreTold(t *testing.T) {
	for _, row := range []struct {
		in, text string
		hidden   []OutputHidden
	}{
		{"", "", nil},
		{"plain \x1b[31mred\x1b[0m\tü€😀\r\b\a", "plain \x1b[31mred\x1b[0m\tü€😀\r\b\a", nil},
		{"a\x00\xff\xfe\x01b", "a\uFFFDb", []OutputHidden{{1, 4, "00 ff fe 01"}}},
		{"😀\xc3", "😀\uFFFD", []OutputHidden{{2, 1, "c3"}}},
		{"\xed\xa0\x80x\x80", "\uFFFDx\uFFFD", []OutputHidden{{0, 3, "ed a0 80"}, {2, 1, "80"}}},
		{"\uFFFD", "\uFFFD", nil},
		{strings.Repeat("\x00", 40), "\uFFFD", []OutputHidden{{0, 40, "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 …"}}},
	} {
		text, hidden := plainText([]byte(row.in))
		if d := cmp.Diff(row.hidden, hidden); text != row.text || d != "" {
			t.Errorf("%q: %q %s", row.in, text, d)
		}
	}
}

func TestAnOutputThatIsGoneSaysSo(t *testing.T) {
	a := newAPI(t, &fakeEngine{})
	ref := OutputRef{"s1", "x.txt"}
	for name, err := range map[string]error{
		"lines":  second(a.OutputLines(OutputLinesRequest{"s1", "x.txt", 1, 10})),
		"piece":  second(a.OutputPiece(OutputPieceRequest{"s1", "x.txt", 1, 0})),
		"find":   second(a.OutputFind(OutputFindRequest{"s1", "x.txt", "a", false, ""})),
		"range":  second(a.OutputRange(OutputRangeRequest{"s1", "x.txt", 1, 2})),
		"keep":   second(a.KeepOutput(ref)),
		"folder": second(FilesOf(a).Folder(ref)),
		"save":   FilesOf(a).Copy(ref, nil),
	} {
		if fault, ok := errors.AsType[*Error](err); !ok || fault.Code != CodeGone {
			t.Errorf("%s: %v", name, err)
		}
	}
	long := strings.Repeat("x", 300)
	for name, err := range map[string]error{
		"session":       second(a.Output(OutputRef{long, "x"})),
		"name":          second(a.Output(OutputRef{"s", long})),
		"line 0":        second(a.OutputLines(OutputLinesRequest{"s1", "x.txt", 0, 10})),
		"no lines":      second(a.OutputLines(OutputLinesRequest{"s1", "x.txt", 1, 0})),
		"many lines":    second(a.OutputLines(OutputLinesRequest{"s1", "x.txt", 1, 501})),
		"byte -1":       second(a.OutputPiece(OutputPieceRequest{"s1", "x.txt", 1, -1})),
		"no words":      second(a.OutputFind(OutputFindRequest{"s1", "x.txt", "", false, ""})),
		"two lines":     second(a.OutputFind(OutputFindRequest{"s1", "x.txt", "a\nb", false, ""})),
		"another place": second(a.OutputFind(OutputFindRequest{"s1", "x.txt", "a", false, "-1:0"})),
		"backwards":     second(a.OutputRange(OutputRangeRequest{"s1", "x.txt", 2, 1})),
	} {
		if fault, ok := errors.AsType[*Error](err); !ok || fault.Code != CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }
