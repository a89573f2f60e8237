package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"reflect"
	"strings"
	"sync"
	"testing"

	"countersign/app/bridge"
	"countersign/backend/config"
	"countersign/backend/event"
	"countersign/backend/host/clock"
)

// noEngine panics at every use.
type noEngine struct{ bridge.Engine }

// badSurface panics at every use.
type badSurface struct{}

func (badSurface) emit(string, any)              { panic("secret text of a tool") }
func (badSurface) copy(string) error             { panic("secret text of a tool") }
func (badSurface) saveAs(string) (string, error) { panic("secret text of a tool") }
func (badSurface) reveal(string) error           { panic("secret text of a tool") }
func (badSurface) front()                        { panic("secret text of a tool") }
func (badSurface) quit()                         { panic("secret text of a tool") }

type badSource struct{}

func (badSource) Subscribe() (<-chan event.Event, func()) { panic("secret text of a tool") }

func testWindow(s surface, e bridge.Engine, log *slog.Logger) *Window {
	w := &Window{
		ctx: context.Background(), log: log, room: make(chan struct{}, bridge.MaxInFlight), surface: s,
		api:    bridge.New(context.Background(), bridge.Config{Engine: e, Clock: clock.System(), Log: log}),
		pump:   &pump{source: badSource{}, emit: s.emit, clock: clock.System()},
		memory: &memory{save: func(config.Window) error { panic("secret text of a tool") }, log: log},
	}
	w.leaving = &leaving{count: func() stake { return stake{Waiting: 1} }, ask: func(stake) {}, close: s.quit}
	return w
}

func TestNoBoundMethodLetsAPanicOut(t *testing.T) {
	var log strings.Builder
	w := testWindow(badSurface{}, noEngine{}, slog.New(slog.NewTextHandler(&log, nil)))
	v := reflect.ValueOf(w)
	for i := range v.NumMethod() {
		name, method := v.Type().Method(i).Name, v.Method(i)
		var args []reflect.Value
		for j := range method.Type().NumIn() {
			args = append(args, reflect.New(method.Type().In(j)).Elem())
		}
		for _, out := range method.Call(args) {
			if _, err := json.Marshal(out.Interface()); err != nil {
				t.Errorf("%s answers what cannot be written: %v", name, err)
			}
		}
	}
	for _, name := range []string{"Copy", "Ready", "Quit"} {
		if !strings.Contains(log.String(), "method="+name) {
			t.Errorf("the panic of %s is not in the log", name)
		}
	}
	if strings.Contains(log.String(), "secret text") {
		t.Error("the value of a panic is in the log")
	}
}

func TestAskSurvivesAnEngineThatPanics(t *testing.T) {
	w := testWindow(badSurface{}, noEngine{}, slog.New(slog.DiscardHandler))
	for _, text := range []string{
		`{"id":"1","method":"Snapshot","params":[]}`,
		`{"id":"1","method":"Answer","params":[{"id":"a","resolution":"deny","words":"","hash":"h","stop":false}]}`,
	} {
		var got struct {
			ID    string
			Error struct{ Code, Message string }
		}
		if err := json.Unmarshal([]byte(w.Ask(text)), &got); err != nil {
			t.Fatal(err)
		}
		if got.ID != "1" || got.Error.Code != bridge.CodeInternal || got.Error.Message == "" {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

func TestAskRefusesWhatIsTooLong(t *testing.T) {
	w := testWindow(badSurface{}, noEngine{}, slog.New(slog.DiscardHandler))
	reply := w.Ask(`{"id":"1","method":"Tools","params":[]}` + strings.Repeat(" ", bridge.MaxRequestBytes))
	if !strings.Contains(reply, bridge.CodeBadRequest) {
		t.Errorf("got %s", reply)
	}
}

func TestBrokenReplyIsAReply(t *testing.T) {
	var got struct {
		ID    string
		Error bridge.Error
	}
	if err := json.Unmarshal([]byte(brokenReply), &got); err != nil || got.Error.Code != bridge.CodeInternal || got.Error.Message == "" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestNothingTooLongIsCopied(t *testing.T) {
	w := testWindow(badSurface{}, noEngine{}, slog.New(slog.DiscardHandler))
	if err := w.Copy(strings.Repeat("x", maxCopy+1)); !errors.Is(err, errNotCopied) {
		t.Errorf("got %v", err)
	}
}

// slowEngine answers once it is let.
type slowEngine struct {
	bridge.Engine
	began chan struct{}
	let   chan struct{}
}

func (e slowEngine) Trusts(context.Context) ([]bridge.Trust, error) {
	e.began <- struct{}{}
	<-e.let
	return nil, nil
}

func TestAPageIsHeardOnlySoOftenAtATime(t *testing.T) {
	e := slowEngine{began: make(chan struct{}, 2*bridge.MaxInFlight), let: make(chan struct{})}
	w := testWindow(badSurface{}, e, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(t.Context())
	w.ctx = ctx
	var work sync.WaitGroup
	replies := make(chan string, 2*bridge.MaxInFlight)
	for range bridge.MaxInFlight + 1 {
		work.Go(func() { replies <- w.Ask(`{"id":"1","method":"Trusts","params":[]}`) })
	}
	for range bridge.MaxInFlight {
		<-e.began
	}
	// One is left outside; it is turned away when the window goes.
	cancel()
	if reply := <-replies; reply != brokenReply {
		t.Errorf("the one outside is told %s", reply)
	}
	close(e.let)
	work.Wait()
	if len(e.began) != 0 || len(replies) != bridge.MaxInFlight {
		t.Errorf("%d more began, %d answers are left", len(e.began), len(replies))
	}
}
