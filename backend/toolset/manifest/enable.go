package manifest

import (
	"bytes"
	"slices"
	"strconv"

	"countersign/backend/schema"
)

// Enable returns a manifest with the set switched on or off. Nothing but the value of "enabled"
// changes; where the field is missing it is written first, spaced as the field that was. A
// manifest that is refused is refused here too: what is broken is left to whoever wrote it.
func Enable(directory string, data []byte, on bool) ([]byte, error) {
	if _, _, err := Parse(directory, data); err != nil {
		return nil, err
	}
	body := bytes.TrimPrefix(data, utf8BOM)
	start := len(data) - len(body)
	members, err := schema.Members(body)
	if err != nil {
		return nil, unread("", err)
	}
	value := strconv.AppendBool(nil, on)
	for _, m := range members {
		if m.Name == "enabled" {
			from := start + m.Value
			return slices.Concat(data[:from], value, data[from+len(m.Text):]), nil
		}
	}
	// A manifest that was taken has a runner, so there is a first field.
	first := start + members[0].Key
	open := start + bytes.IndexByte(body, '{') + 1
	gap := data[open:first]
	between := gap
	if len(gap) == 0 {
		between = []byte{' '}
	}
	return slices.Concat(data[:first], []byte(`"enabled": `), value, []byte(`,`), between, data[first:]), nil
}
