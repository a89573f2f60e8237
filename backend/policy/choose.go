package policy

import (
	"errors"
	"slices"
	"strings"

	"countersign/backend/policy/shellcmd"
)

// Refusal says why a grant is not made as a person wants it, in words for the person.
type Refusal struct{ Words string }

// What is said of a scope that is not taken.
const (
	refusedLife    = "This can only be allowed for the session. To have a host read every time, put it on the list of allowed hosts in the settings."
	refusedNothing = "Choose at least one part of the call that is to be allowed from now on."
	refusedOther   = "This does not cover any part of the call. Start from what is offered."
	refusedWide    = "This is too wide: what follows those words decides what is run. Add the next word."
	refusedKind    = "This part of the call cannot be allowed in this way. Choose one of those that are offered."
)

// Choose holds what a person wants granted against what may be. Each chosen scope must be one
// that is offered for an open part of the call, though a rule may be written in any way that
// means the same. A nil list takes the narrowest of every open part.
func Choose(offers []Offer, life GrantLife, chosen []Choice) ([]Choice, *Refusal) {
	if chosen == nil {
		for i := range offers {
			if offers[i].Open() {
				chosen = append(chosen, offers[i].Choices[0])
			}
		}
	}
	var out []Choice
	for _, c := range chosen {
		c, offer, refusal := match(offers, c)
		if refusal != nil {
			return nil, refusal
		}
		if !slices.Contains(offer.Lives, life) {
			return nil, &Refusal{refusedLife}
		}
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return nil, &Refusal{refusedNothing}
	}
	return out, nil
}

// match finds the offered choice that c means.
func match(offers []Offer, c Choice) (Choice, *Offer, *Refusal) {
	value := c.Value
	switch c.Kind {
	case GrantCommand:
		rule, err := shellcmd.ParseRule(value)
		if err != nil {
			return c, nil, refusedRule(err)
		}
		value = rule.String()
	case GrantFolder:
		if trimmed := strings.TrimRight(value, `/\`); trimmed != "" {
			value = trimmed
		}
	case GrantFile, GrantHost, GrantTool:
	}
	kind := false
	for i := range offers {
		for _, choice := range offers[i].Choices {
			if choice.Kind == c.Kind && choice.Value == value {
				return choice, &offers[i], nil
			}
			kind = kind || choice.Kind == c.Kind
		}
	}
	switch {
	case !kind:
		return c, nil, &Refusal{refusedKind}
	case c.Kind == GrantCommand && begins(offers, value):
		return c, nil, &Refusal{refusedWide}
	}
	return c, nil, &Refusal{refusedOther}
}

// refusedRule says what is wrong with the text of a rule.
func refusedRule(err error) *Refusal {
	if bad, ok := errors.AsType[*shellcmd.BadRule](err); ok {
		return &Refusal{bad.Words}
	}
	return &Refusal{refusedOther}
}

// begins reports whether a rule matches the words of an offered command.
func begins(offers []Offer, value string) bool {
	rule, err := shellcmd.ParseRule(value)
	if err != nil {
		return false
	}
	for i := range offers {
		if len(offers[i].Choices) == 0 {
			continue
		}
		// The narrowest rule of a command has all its words.
		all, err := shellcmd.ParseRule(offers[i].Choices[0].Value)
		if err == nil && rule.Prefix && len(rule.Words) <= len(all.Words) && slices.Equal(rule.Words, all.Words[:len(rule.Words)]) {
			return true
		}
	}
	return false
}
