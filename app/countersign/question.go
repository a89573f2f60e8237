package main

import (
	"fmt"
	"strings"

	"countersign/app/desk"
	"countersign/backend/approval"
)

// questionLine is the latest question that was put to a person about a call.
type questionLine struct {
	ID      string          `json:"id"`
	Status  approval.Status `json:"status"`
	AskedAt string          `json:"asked_at"`
	// Resolution is the person's answer, "" where none came.
	Resolution approval.Resolution `json:"resolution"`
	ResolvedBy string              `json:"resolved_by"`
	ResolvedAt string              `json:"resolved_at"`
	Words      string              `json:"words"`
	Reason     string              `json:"reason"`
	// Voided says why a yes did not run the call.
	Voided string `json:"voided"`
	// CallerLeft says that nobody waited for the answer any more, LeftWhy whether the caller
	// had left or the desk had closed. Consumed says that a call has used the answer.
	CallerLeft bool   `json:"caller_left"`
	LeftWhy    string `json:"left_why"`
	Consumed   bool   `json:"consumed"`
}

func questionLineOf(r *approval.Request) *questionLine {
	if r == nil {
		return nil
	}
	out := &questionLine{
		ID: r.ID, Status: r.Status, AskedAt: clockText(r.CreatedAt), Resolution: r.Resolution, ResolvedBy: r.ResolvedBy,
		Words: r.Words.Open(), Reason: r.Reason, Voided: r.Voided, CallerLeft: r.CallerLeft, LeftWhy: r.LeftWhy, Consumed: r.Consumed,
	}
	if r.ResolvedAt != nil {
		out.ResolvedAt = clockText(*r.ResolvedAt)
	}
	return out
}

// questionText tells in a line what became of a question, "" where there was none.
func questionText(r *approval.Request) string {
	if r == nil {
		return ""
	}
	parts := []string{"asked " + clockText(r.CreatedAt)}
	switch {
	case r.LeftWhy == "interrupted":
		parts = append(parts, "the desk closed before the call had its answer")
	case r.CallerLeft:
		parts = append(parts, "the caller left before it had its answer")
	}
	if r.Status == approval.StatusPending || r.ResolvedAt == nil {
		parts = append(parts, "not answered")
	} else {
		parts = append(parts, fmt.Sprintf("%s by %s %s", r.Status, desk.Visible(r.ResolvedBy), clockText(*r.ResolvedAt)))
	}
	return strings.Join(parts, ", ")
}
