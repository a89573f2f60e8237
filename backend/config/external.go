package config

import (
	"encoding/json"

	"countersign/backend/schema"
	"countersign/backend/session"
)

// The settings about tool sets that are not built in.
const (
	externalKey = "externalTools"
	authorsKey  = "externalToolApproval"
	crystalKey  = "crystalTools"
)

// External says which tool sets are looked for beside those that are built in.
type External struct {
	// On says that any are.
	On bool
	// Crystal says that those made for Crystal are too, where Crystal keeps them.
	Crystal bool
}

// Who decides whether ordinary calls of a set ask.
const (
	followAuthor = "author"
	followHost   = "host"
)

// readAuthors reads {home, project}. One that is left out has its default. It is false for what
// is broken in any part: a slip in one must not leave it looser than it was meant.
func readAuthors(b json.RawMessage, s *Settings) bool {
	object, err := schema.ReadObject(b)
	if err != nil {
		return false
	}
	out := Defaults().Rules.Authors
	for key, v := range object {
		to := map[string]*bool{"home": &out.Home, "project": &out.Project}[key]
		if to == nil || v != followAuthor && v != followHost {
			return false
		}
		*to = v == followAuthor
	}
	s.Rules.Authors = out
	return true
}

func writeAuthors(s Settings) any {
	word := func(author bool) string {
		if author {
			return followAuthor
		}
		return followHost
	}
	return struct {
		Home    string `json:"home"`
		Project string `json:"project"`
	}{word(s.Rules.Authors.Home), word(s.Rules.Authors.Project)}
}

// fallback puts in force what a broken value of a setting counts as. It is false where such a
// value refuses the file.
func (f Field) fallback(s *Settings) bool {
	if f.Key != authorsKey {
		return false
	}
	// Nobody is followed whose name could not be read.
	s.Rules.Authors = session.Authors{}
	return true
}

// trim takes out of the keys of a file what is not written where it says what holds anyway.
func trim(keys map[string]json.RawMessage) {
	if string(keys[externalKey]) == "true" {
		delete(keys, externalKey)
	}
}
