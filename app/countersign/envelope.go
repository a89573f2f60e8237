package main

import (
	"bytes"
	"encoding/json"
	"strconv"

	"countersign/backend/schema"
	"countersign/backend/tool"
)

// envelope is one line of input: which tool, with which arguments.
type envelope struct {
	// id is the JSON text to echo: as sent, whatever value it is, or the line's number as
	// a string.
	id        json.RawMessage
	tool      string
	arguments []byte
	// wrong says in fixed words what is wrong with the line, "" for nothing.
	wrong string
}

// call is the call of the line. Each line is a submission of its own.
func (e envelope) call() tool.Call {
	id := string(e.id)
	var text string
	if json.Unmarshal(e.id, &text) == nil {
		id = text
	}
	return tool.Call{ID: id, Name: e.tool, Arguments: e.arguments}
}

// numbered is the JSON text of a line's number as a string.
func numbered(n int) json.RawMessage { return json.RawMessage(strconv.Quote(strconv.Itoa(n))) }

// readEnvelope reads {"id":…,"tool":…,"arguments":{…}}. The arguments pass through
// byte for byte: the pipeline reads them, and refuses them, by itself. An id that was
// read before the fault is kept, so that the answer finds its question.
func readEnvelope(l line) envelope {
	e := envelope{id: numbered(l.number), arguments: []byte("{}")}
	if l.tooLong {
		e.wrong = "The line is larger than 16 MiB and was read past."
		return e
	}
	members, wrong := readMembers(l.text)
	if id, ok := members["id"]; ok {
		if _, err := schema.Read(id); err == nil {
			e.id = id
		} else if wrong == "" {
			wrong = "The id cannot be read."
		}
	}
	if wrong != "" {
		e.wrong = wrong
		return e
	}
	name, ok := members["tool"]
	if v, err := schema.Read(name); ok && err == nil {
		e.tool, _ = v.(string)
	}
	if e.tool == "" {
		e.wrong = "The line names no tool: it needs \"tool\" with a text."
	}
	if raw, ok := members["arguments"]; ok {
		e.arguments = raw
	}
	return e
}

// readMembers takes one object apart without looking into its values. What it could
// read before a fault comes with the words of the fault.
func readMembers(text []byte) (members map[string]json.RawMessage, wrong string) {
	const notObject = "The line is not one JSON object."
	members = map[string]json.RawMessage{}
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return members, notObject
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return members, notObject
		}
		name, _ := key.(string)
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return members, notObject
		}
		if wrong != "" {
			continue
		}
		_, twice := members[name]
		switch {
		case name != "id" && name != "tool" && name != "arguments":
			wrong = "The line has a key that is not known: only id, tool and arguments are."
		case twice:
			wrong = "The line has a key twice."
		default:
			members[name] = value
		}
	}
	if _, err := d.Token(); err != nil || len(bytes.TrimSpace(text[d.InputOffset():])) > 0 {
		return members, notObject
	}
	return members, wrong
}
