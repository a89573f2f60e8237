package registry

import (
	"context"
	"fmt"
	"strings"
	"time"

	"countersign/backend/bound"
	"countersign/backend/policy"
	"countersign/backend/tool"
)

// Reviewer is a second model that judges a call before a person is asked. It must be safe for
// concurrent use. An error, and a context that ends, leave the call to the person.
type Reviewer interface {
	Review(ctx context.Context, e Evidence) (Opinion, error)
}

// Opinion is what a reviewer thinks of a call.
type Opinion struct {
	// Verdict is allow, deny, or ask for a call that it leaves to the person.
	Verdict tool.Verdict
	// Rationale says why, in the reviewer's words. Those of a denial go to the model.
	Rationale tool.Untrusted
}

const (
	// reviewTime is how long a reviewer may think.
	reviewTime = 30 * time.Second
	// maxRationale bounds the words of a denial, maxSaid those in a chain, in bytes.
	maxRationale = 2000
	maxSaid      = 300
)

// review asks the reviewer, at most once a call, where policy has it asked. done says that
// the call may run, again that it must be looked at by the decision of now; with neither it
// is the person's.
func (r *Registry) review(ctx context.Context, c *run) (again, done bool, err error) {
	if c.policy.Review == policy.ReviewNone || c.handed != "" {
		return false, false, nil
	}
	asked, version := c.policy.Review, c.inv.PolicyVersion
	opinion, none := r.consult(ctx, c)
	if err := ctx.Err(); err != nil {
		return false, false, err
	}
	if err := r.judge(ctx, c); err != nil {
		return false, false, err
	}
	if c.policy.Review != asked || c.inv.PolicyVersion != version {
		// The opinion was for other rules.
		return true, false, nil
	}
	because := inTheWords(opinion.Rationale)
	switch {
	case none != "":
		c.handed = none
	case opinion.Verdict == tool.VerdictDeny:
		c.inv.DecidedBy = "reviewer"
		c.unask()
		c.speak(tool.LayerReviewer, tool.VerdictDeny, tool.CodePolicyReviewerDenied, "The reviewer refused it"+because)
		refusal := tool.Errorf(tool.CodePolicyReviewerDenied, "the reviewer denied the call")
		if words := bound.Head(opinion.Rationale.Open(), maxRationale); strings.TrimSpace(words) != "" {
			refusal.WithText(words)
		}
		return false, false, refusal
	case opinion.Verdict == tool.VerdictAllow && asked == policy.ReviewMayAnswer:
		c.inv.DecidedBy = "reviewer"
		c.unask()
		c.speak(tool.LayerReviewer, tool.VerdictAllow, "", "The reviewer allowed it"+because)
		c.answered, c.pins = "", nil
		return false, true, nil
	case opinion.Verdict == tool.VerdictAllow:
		c.handed = "The reviewer would allow it, but only you can" + because
	case opinion.Verdict == tool.VerdictAsk:
		c.handed = "The reviewer leaves it to you" + because
	default:
		c.handed = "The reviewer's answer could not be read, so it comes to you."
	}
	c.hand()
	return false, false, nil
}

// consult asks the reviewer; none says why it has no opinion.
func (r *Registry) consult(ctx context.Context, c *run) (opinion Opinion, none string) {
	limited, cancel := context.WithTimeout(ctx, reviewTime)
	defer cancel()
	opinion, none, err := c.opine(limited)
	if err != nil {
		r.log.Warn("the reviewer gave no opinion", "invocation", c.inv.ID, "cause", err)
		none = "The reviewer could not be asked, so it comes to you."
		if limited.Err() != nil {
			none = "The reviewer did not answer in time, so it comes to you."
		}
	}
	return opinion, none
}

func (c *run) opine(ctx context.Context) (opinion Opinion, none string, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("review: %w", panicked(v))
		}
	}()
	turns, err := c.s.Transcript(ctx)
	if err != nil {
		return Opinion{}, "", fmt.Errorf("read the transcript: %w", err)
	}
	e, ok := c.evidence(turns)
	if !ok {
		return Opinion{}, "The reviewer has too little to go by, so it comes to you.", nil
	}
	opinion, err = c.s.Reviewer.Review(ctx, e)
	if err == nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	return opinion, "", err
}

// inTheWords ends a sentence with the words of a reviewer, as one line.
func inTheWords(words tool.Untrusted) string {
	line := strings.Join(strings.Fields(words.Open()), " ")
	if line == "" {
		return "."
	}
	return ": " + strings.TrimRight(tool.ShowPath(bound.Head(line, maxSaid)), ". ") + "."
}

// hand puts a call that the reviewer left to the person before the person.
func (c *run) hand() {
	d := c.policy.Decision
	if d.Verdict != tool.VerdictReview && (d.Verdict != tool.VerdictAsk || c.policy.Review == policy.ReviewNone) {
		return
	}
	words := policy.YourAnswer
	if last := d.Chain[len(d.Chain)-1]; last.Layer == tool.LayerOperator {
		words = last.Reason
	}
	c.unask()
	c.speak(tool.LayerReviewer, tool.VerdictAsk, "", c.handed)
	c.speak(tool.LayerOperator, tool.VerdictAsk, "", words)
}

// unask takes the links off the chain that say who is asked.
func (c *run) unask() {
	chain := c.policy.Decision.Chain
	for len(chain) > 0 && (chain[len(chain)-1].Layer == tool.LayerOperator || chain[len(chain)-1].Layer == tool.LayerReviewer) {
		chain = chain[:len(chain)-1]
	}
	c.policy.Decision.Chain = chain
}
