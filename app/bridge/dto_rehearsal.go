package bridge

// RehearsalRequest asks what a change of settings would decide otherwise of the calls of the
// last thirty days, one step at a time.
type RehearsalRequest struct {
	Rules RulesPatch `json:"rules"`
	// Setting changes one more setting, none with the key "".
	Setting SettingChange `json:"setting"`
	// From is Rehearsal.Next of the step before, "" for the first.
	From string `json:"from"`
}

// Rehearsal is one step of a rehearsal.
type Rehearsal struct {
	// Loosens says that the change may let through what is stopped now.
	Loosens bool `json:"loosens"`
	// Total is how many calls there are to look at, the latest ones where Capped says that there
	// are more, and Looked how many were looked at by the end of this step.
	Total  int  `json:"total"`
	Capped bool `json:"capped"`
	Looked int  `json:"looked"`
	// Next is where to go on, "" at the end.
	Next string `json:"next"`
	// Flips are the calls of this step that would be decided otherwise, the latest first.
	Flips    []FlipRow     `json:"flips"`
	Unjudged []UnjudgedRow `json:"unjudged"`
}

// FlipRow is a past call that would be decided otherwise.
type FlipRow struct {
	CallID string `json:"callId"`
	ToolID string `json:"toolId"`
	// Subject is the command, path or host, and SubjectLeft how many characters of it follow.
	Subject     string `json:"subject"`
	SubjectLeft int    `json:"subjectLeft"`
	// Marker stands in Subject for each piece that is hidden from eyes, "" where none is.
	Marker string `json:"marker"`
	At     string `json:"at"`
	// Now and Would are allow, review, ask or deny.
	Now   string `json:"now"`
	Would string `json:"would"`
	// Then says in words what became of the call.
	Then string `json:"then"`
}

// UnjudgedRow counts calls that cannot be judged any more. Words say why.
type UnjudgedRow struct {
	Words string `json:"words"`
	Count int    `json:"count"`
}
