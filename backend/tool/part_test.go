package tool_test

import (
	"encoding/json"
	"testing"

	"countersign/backend/tool"
)

func TestPartIsWrittenInItsTwoForms(t *testing.T) {
	for _, c := range []struct {
		part tool.Part
		want string
	}{
		{tool.TextPart("a"), `{"type":"text","text":"a"}`},
		{tool.TextPart(""), `{"type":"text","text":""}`},
		{tool.Part{Type: tool.PartImage, Mime: "image/png", Handle: "media://sha256-1"}, `{"type":"image","mime":"image/png","handle":"media://sha256-1"}`},
	} {
		b, err := json.Marshal([]tool.Part{c.part})
		if err != nil || string(b) != "["+c.want+"]" {
			t.Errorf("got %s, %v, want %s", b, err, c.want)
		}
		var back []tool.Part
		if err := json.Unmarshal(b, &back); err != nil || len(back) != 1 || back[0] != c.part {
			t.Errorf("read back %+v, %v", back, err)
		}
	}
}
