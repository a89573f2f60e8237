package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"countersign/app/desk"
)

func newProgram(t *testing.T) *program {
	t.Helper()
	return &program{stdout: io.Discard, stderr: io.Discard, places: desk.Places{Home: t.TempDir(), Workspace: t.TempDir()}}
}

func TestWithoutAScreenItSaysHowToGoOn(t *testing.T) {
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	var out, errs bytes.Buffer
	p := &program{stdout: &out, stderr: &errs}
	if code := p.run(t.Context(), []string{"--home", t.TempDir()}); code != 1 || out.Len() > 0 || errs.String() != errNoDisplay.Words+"\n" {
		t.Errorf("code %d, said %q and %q", code, out.String(), errs.String())
	}
}

func TestWordsThatAreNoFlagAreRefused(t *testing.T) {
	var errs bytes.Buffer
	p := &program{stdout: io.Discard, stderr: &errs}
	if code := p.run(t.Context(), []string{"serve"}); code != 1 || !strings.Contains(errs.String(), "--help") {
		t.Errorf("code %d, said %q", code, errs.String())
	}
}

func TestASecondStartBringsTheFirstToTheFront(t *testing.T) {
	for _, words := range []string{"", "It is elsewhere."} {
		p := newProgram(t)
		first, _, err := p.take(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var fronts atomic.Int32
		if err := first.Welcome(func() string { fronts.Add(1); return words }); err != nil {
			t.Fatal(err)
		}
		second, said, err := p.take(t.Context())
		if second != nil || said != words || err != nil || fronts.Load() != 1 {
			t.Errorf("the second start has %v, %q, %v after %d fronts", second, said, err, fronts.Load())
		}
		if err := first.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A desk that ends answers nobody any more and holds its place for a moment.
func TestAStartWaitsForADeskThatEnds(t *testing.T) {
	p := newProgram(t)
	p.patience = time.Minute
	first, _, err := p.take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(4*takePace, func() { _ = first.Close() })
	second, said, err := p.take(t.Context())
	if err != nil || second == nil || said != "" {
		t.Fatalf("the second start has %v, %q, %v", second, said, err)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
}

func TestAStartGivesUpOnADeskThatNeitherAnswersNorEnds(t *testing.T) {
	p := newProgram(t)
	first, _, err := p.take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 4*takePace)
	defer cancel()
	if second, said, err := p.take(ctx); second != nil || said != "" || err == nil || !strings.Contains(err.Error(), "already serves this home") {
		t.Errorf("the second start has %v, %q, %v", second, said, err)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
}

func TestAHomeThatIsNoneIsToldInWords(t *testing.T) {
	p := newProgram(t)
	p.places.Workspace = "/nowhere at all"
	if d, _, err := p.take(t.Context()); d != nil || err == nil || !strings.Contains(err.Error(), "--workspace") {
		t.Errorf("got %v, %v", d, err)
	}
}
