package policy

import (
	"countersign/backend/policy/shellcmd"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// answer lets those answer who may: nobody a Deny, the person alone what insists,
// reviewer and person what was raised, and everybody in turn a plain question.
func (s *story) answer(v *view) {
	switch {
	case s.force < insists && v.Changed == tool.LayerOperator:
		s.changed(v)
		return
	case s.force == insists && v.Changed == tool.LayerOperator:
		s.say(tool.LayerOperator, tool.VerdictAsk, changedWords+" It can be allowed only this once.")
		return
	}
	switch s.force {
	case denies:
		s.settle()
	case insists:
		if v.Reviewer && asksReviewer(v.preset) {
			s.review = ReviewMayDeny
		}
		s.say(tool.LayerOperator, tool.VerdictAsk, "Only you can answer this, and only for this one call.")
	case raises:
		if runs(v) {
			s.add(tool.LayerTrust, " A session that has read none is not.")
		}
		s.consult(v, asksReviewer(v.preset))
	case silent, passes, asks:
		s.plain(v)
	}
}

// changedWords is what the chain says of a call that the person has changed.
const changedWords = "You changed the arguments, so only your answer to what they are now runs the call."

// changed puts a call that the person has changed before the person, whoever else could have
// answered: a change is no answer, and what it makes of the call was seen by nobody yet. Grants
// are offered as for any other call.
func (s *story) changed(v *view) {
	if s.force < raises {
		open, none := offers(v, (*shellcmd.Command).Exactly)
		s.offered, s.once = open != nil, none
	}
	s.say(tool.LayerOperator, tool.VerdictAsk, changedWords)
}

const needsReviewer = "It needs a reviewer, and none is set up, so it comes to you."

// runs reports whether the preset or a grant would let a call run about which only a plain
// question is open.
func runs(v *view) bool {
	return preset(v).verdict == tool.VerdictAllow || granted(v) != nil || authored(v)
}

// plain answers a question that grants and presets may answer, or finds that none is open.
func (s *story) plain(v *view) {
	p := preset(v)
	if s.force < asks && p.verdict == tool.VerdictAllow {
		s.run(p)
		return
	}
	if g := granted(v); g != nil {
		s.say(tool.LayerGrant, tool.VerdictAllow, grantedWords(g))
		s.allowed, s.grants = true, idsOf(g)
		return
	}
	if authored(v) {
		s.say(tool.LayerAuthor, tool.VerdictAllow, authorWords(v))
		s.allowed = true
		return
	}
	if p.verdict == tool.VerdictAllow {
		s.run(p)
		return
	}
	open, none := offers(v, (*shellcmd.Command).Exactly)
	if s.offered, s.once = open != nil, none; s.offered {
		s.say(tool.LayerGrant, tool.VerdictAsk, "No grant covers it.")
	}
	s.say(tool.LayerPreset, p.verdict, p.reason)
	s.consult(v, p.verdict == tool.VerdictReview)
}

// consult sends a question to the reviewer if the preset has it asked and there is one, else
// to the person. A reviewer allows nothing that no grant could.
func (s *story) consult(v *view, reviewed bool) {
	switch {
	case reviewed && v.Reviewer:
		s.review = ReviewMayDeny
		if grantable(v.effect) {
			s.review = ReviewMayAnswer
		}
		s.say(tool.LayerReviewer, tool.VerdictReview, "The reviewer is asked first.")
		return
	case reviewed:
		s.say(tool.LayerReviewer, tool.VerdictAsk, needsReviewer)
	}
	s.say(tool.LayerOperator, tool.VerdictAsk, YourAnswer)
}

// YourAnswer is what the chain says of a question that is put to the person.
const YourAnswer = "Your answer decides."

// run lets the preset answer. A call that heard only the matrix gets the chain that
// was made for it before.
func (s *story) run(p *presetVoice) {
	s.allowed = true
	if s.links == nil && s.passed != "" && p.quiet != nil {
		s.links = p.quiet
		return
	}
	s.say(tool.LayerPreset, p.verdict, p.reason)
}

func asksReviewer(p session.Preset) bool {
	return p == session.PresetReview || p == session.PresetAudit
}

// presetVoice is what a preset says of a call.
type presetVoice struct {
	verdict tool.Verdict
	reason  string
	// quiet is the whole chain of a call that nothing else speaks about: the matrix lets
	// it pass and the preset runs it. Nothing may append to it: it is cut to its length.
	quiet []tool.Link
}

// after makes quiet for the calls of one class.
func (p presetVoice) after(e tool.SideEffect) presetVoice {
	if p.verdict == tool.VerdictAllow {
		p.quiet = []tool.Link{
			{Layer: tool.LayerMatrix, Verdict: tool.VerdictAllow, Reason: rowOf(e).passes},
			{Layer: tool.LayerPreset, Verdict: p.verdict, Reason: p.reason},
		}
	}
	return p
}

// preset says whether the preset in force runs the call, sends it to the reviewer or
// leaves it to a person. Each preset adds to the one before.
func preset(v *view) *presetVoice {
	words := &presetWords[presetIndex(v.preset)]
	switch v.effect {
	case tool.EffectNone:
		return &words.nothing
	case tool.EffectWorkspaceRead:
		return &words.reads
	case tool.EffectNetworkRead:
		if v.listed {
			return &words.listed
		}
		return &words.unlisted
	case tool.EffectWorkspaceWrite:
		if v.Source == tool.SourceBuiltin {
			return &words.writes
		}
		return &words.foreign
	case tool.EffectCodeExecution:
		switch {
		case v.Target.Command != "" && v.Target.Input == "":
			return words.command(v)
		case staysInside(v):
			return &words.inside
		}
		return &words.code
	case tool.EffectPackageInstall, tool.EffectSandboxNetwork, tool.EffectExternalMessage, tool.EffectExternalWrite,
		tool.EffectExternalDelete, tool.EffectFinancial, tool.EffectPublication, tool.EffectCredentialAccess,
		tool.EffectHostAccess, tool.EffectPrivileged:
	}
	return &words.code
}

// staysInside reports whether code is a call of a tool set that names no path outside,
// no address and nothing that would be run.
func staysInside(v *view) bool {
	return v.Source == tool.SourceSet && v.outside == nil && !v.Target.Runs() && v.Target.URL == ""
}

// command is what the preset says of a command line. Full says what keeps it from running
// one.
func (r *presetRow) command(v *view) *presetVoice {
	if v.Source != tool.SourceBuiltin || v.Target.URL != "" {
		return &r.code
	}
	leaves := v.leaves()
	switch {
	case leaves == "":
		return &r.contained
	case r.contained.verdict == tool.VerdictAllow:
		return &presetVoice{verdict: r.code.verdict, reason: "Preset Full runs commands that stay inside the workspace. " + leaves}
	}
	return &r.code
}

// presetRow is a preset: what it says of each kind of call that it may answer.
type presetRow struct {
	preset   session.Preset
	nothing  presetVoice
	reads    presetVoice
	listed   presetVoice
	unlisted presetVoice
	writes   presetVoice
	foreign  presetVoice
	inside   presetVoice
	// contained is about a command line that stays inside the workspace.
	contained presetVoice
	code      presetVoice
}

var presetWords = [...]presetRow{
	presetRowOf(session.PresetDefault, "Default", tool.VerdictAsk, tool.VerdictAsk, tool.VerdictAsk),
	presetRowOf(session.PresetEdit, "Edit", tool.VerdictAllow, tool.VerdictAsk, tool.VerdictAsk),
	presetRowOf(session.PresetReview, "Review", tool.VerdictAllow, tool.VerdictReview, tool.VerdictReview),
	presetRowOf(session.PresetAudit, "Audit", tool.VerdictReview, tool.VerdictReview, tool.VerdictReview),
	presetRowOf(session.PresetFull, "Full", tool.VerdictAllow, tool.VerdictAllow, tool.VerdictAsk),
}

func presetIndex(p session.Preset) int {
	for i := range presetWords {
		if presetWords[i].preset == p {
			return i
		}
	}
	return 0
}

// presetRowOf makes a row from the three things in which presets differ: workspace
// writes of built-in tools, code that stays inside, and everything else.
func presetRowOf(p session.Preset, name string, writes, inside, rest tool.Verdict) presetRow {
	runs := "Preset " + name + " runs "
	say := func(v tool.Verdict, allow, ask string) presetVoice {
		switch v {
		case tool.VerdictAllow:
			return presetVoice{verdict: v, reason: runs + allow}
		case tool.VerdictReview:
			return presetVoice{verdict: v, reason: "Preset " + name + " asks the reviewer before it runs."}
		case tool.VerdictAsk, tool.VerdictDeny:
		}
		return presetVoice{verdict: v, reason: "Preset " + name + " asks before " + ask}
	}
	return presetRow{
		preset:    p,
		nothing:   say(tool.VerdictAllow, "what changes nothing.", "").after(tool.EffectNone),
		reads:     say(tool.VerdictAllow, "what only reads.", "").after(tool.EffectWorkspaceRead),
		listed:    say(tool.VerdictAllow, "reads from listed hosts.", "").after(tool.EffectNetworkRead),
		unlisted:  say(rest, "", "it reads from a host that is not listed; listing the host would let it run."),
		writes:    say(writes, "writes of built-in tools inside the workspace.", "every write to the workspace; preset Edit would let it run.").after(tool.EffectWorkspaceWrite),
		foreign:   say(rest, "", "a tool that is not built in writes to the workspace."),
		inside:    say(inside, "tool sets that stay inside the workspace.", "a tool set runs; preset Full would let it run."),
		contained: say(inside, "commands that stay inside the workspace.", "a command runs; preset Full would run this one, which stays inside the workspace."),
		code:      say(rest, "", "code runs."),
	}
}
