package approval

import "countersign/backend/tool"

// Listing is what was read of the command line of a request, for eyes. It decides nothing.
type Listing struct {
	// Parsed says that it could be read as the shell would read it, Dynamic that nobody can
	// tell all of what would be run, and Why why not, in words that complete a sentence.
	Parsed  bool           `json:"parsed"`
	Dynamic bool           `json:"dynamic,omitempty"`
	Why     tool.Untrusted `json:"why,omitzero"`
	Steps   []Step         `json:"steps,omitempty"`
	// Left is how many more steps there are than are listed.
	Left int `json:"left,omitempty"`
	// Privileged says that a step acts with more rights or on the machine as a whole.
	Privileged bool `json:"privileged,omitempty"`
}

// Step is one simple command of a listing, in the order in which they stand.
type Step struct {
	// Part is its index in the reading, as in policy.Offer.
	Part int `json:"part"`
	// Depth is how many listed commands it stands in.
	Depth int `json:"depth,omitempty"`
	// Shown is the command as it is listed, "" for a redirect alone.
	Shown tool.Untrusted `json:"shown,omitzero"`
	// Dynamic says that a part of it is not known, Background that it is not waited for.
	Dynamic    bool   `json:"dynamic,omitempty"`
	Background bool   `json:"background,omitempty"`
	Marks      []Mark `json:"marks,omitempty"`
	// Left is how many more marks there are.
	Left int `json:"left,omitempty"`
}

// Mark is one thing that a step does beyond running.
type Mark struct {
	// Effect is reads, writes, removes, reaches, runs, obeys, changes-git, privileged or changes.
	Effect string `json:"effect"`
	// Subject is the file or machine, "" where Words say all.
	Subject tool.Untrusted `json:"subject,omitzero"`
	// Words complete a sentence about the command: "runs the program after -exec".
	Words tool.Untrusted `json:"words,omitzero"`
	// Outside says that the file lies outside the workspace, Restricted that it is protected or
	// that only a person may allow it, once.
	Outside    bool `json:"outside,omitempty"`
	Restricted bool `json:"restricted,omitempty"`
	// Tree says that all below the file is meant too.
	Tree bool `json:"tree,omitempty"`
}
