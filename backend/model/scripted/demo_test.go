package scripted

import "testing"

func TestDemoTaskIsWhole(t *testing.T) {
	p, err := Load("../../../build/samples/demo.task.json")
	if err != nil {
		t.Fatal(err)
	}
	if p.Title() == "" || p.Name() != "scripted: demo.task" {
		t.Errorf("got %q, %q", p.Title(), p.Name())
	}
}
