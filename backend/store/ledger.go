package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"countersign/backend/approval"
	"countersign/backend/event"
	"countersign/backend/policy"
	"countersign/backend/record"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// AddRequest stores a pending request and moves its invocation to waiting. It
// returns session.ErrNoInvocation, session.ErrEnded, session.ErrNotReady for a call
// that runs already, and session.ErrNotOwned.
func (s *Store) AddRequest(ctx context.Context, r approval.Request) error {
	r.Status = approval.StatusPending
	card, err := record.CardOf(r)
	if err != nil {
		return fault("show a request", fmt.Errorf("%w: %w", errRefused, err))
	}
	return s.writer.do(ctx, func(t *tx) error {
		c, err := t.mayWait(r.InvocationID, s.program.id)
		if err != nil {
			return err
		}
		if err := t.addRequest(c, r); err != nil {
			return err
		}
		if err := t.show(r.ID, card); err != nil {
			return err
		}
		if err := t.suspend(c, r.ID); err != nil {
			return err
		}
		return t.tellRequest(c.ref, event.ApprovalRequested, r, r.CreatedAt)
	})
}

// mayWait finds a call that can be made to wait: it has neither started nor ended.
func (t *tx) mayWait(invocation, program string) (call, error) {
	c, err := t.call(invocation)
	switch {
	case err != nil:
		return c, err
	case c.state.Ended():
		return c, session.ErrEnded
	case c.state == session.StateRunning:
		return c, session.ErrNotReady
	case c.owner != program:
		return c, session.ErrNotOwned
	}
	return c, nil
}

// suspend makes a call wait for a request.
func (t *tx) suspend(c call, request string) error {
	_, err := t.exec(`UPDATE invocations SET state = 'waiting_for_approval', suspended_kind = 'approval', suspended_ref = ?, answer = '' WHERE num = ?`, request, c.num)
	return err
}

// Request returns one request with its canonical arguments.
func (s *Store) Request(ctx context.Context, id string) (approval.Request, error) {
	return s.request(ctx, selectRequest+` WHERE a.id = ?`, id)
}

func (s *Store) request(ctx context.Context, text string, args ...any) (r approval.Request, err error) {
	err = s.each(ctx, text, args, func(rows *sql.Rows) error {
		r, err = scanRequest(rows)
		return err
	})
	if err == nil && r.ID == "" {
		err = approval.ErrNoRequest
	}
	return r, err
}

// Pending returns the requests that wait, in the order in which their calls came, without
// their canonical arguments.
func (s *Store) Pending(ctx context.Context, sessionID string) (out []approval.Request, err error) {
	text, args := selectCard+` WHERE a.status = 'pending'`, []any{}
	if sessionID != "" {
		text, args = text+` AND a.session_num = (SELECT num FROM sessions WHERE id = ?)`, append(args, sessionID)
	}
	err = s.each(ctx, text+` ORDER BY (SELECT i.num FROM invocations i WHERE i.id = a.invocation_id), a.num`, args, func(rows *sql.Rows) error {
		r, err := scanRequest(rows)
		out = append(out, r)
		return err
	})
	return out, err
}

// Resolve moves a pending request to its end. The call of an interrupted request
// ends with it, since no pipeline waits for it any more.
func (s *Store) Resolve(ctx context.Context, id string, end approval.End, grants []policy.Grant) (stored approval.Request, changed bool, err error) {
	err = s.writer.do(ctx, func(t *tx) error {
		changed = false
		r, ref, err := t.request(id)
		if stored = r; err != nil || r.Status != approval.StatusPending || end.Shown != "" && end.Shown != r.ArgumentsHash {
			return err
		}
		if end.Status == approval.StatusPending {
			return fmt.Errorf("%w: pending is no end", errRefused)
		}
		if end.Card != "" && end.Card != r.Card {
			return nil
		}
		for _, g := range grants {
			if err := t.grant(ref, g); err != nil {
				return err
			}
		}
		stored, err = t.end(ref, r, end, grants)
		changed = err == nil
		return err
	})
	return stored, changed && err == nil, err
}

// end moves a pending request to its end, and records that with the grants that came with it.
func (t *tx) end(s ref, r approval.Request, end approval.End, grants []policy.Grant) (approval.Request, error) {
	shown, err := t.shown(r)
	if err != nil {
		return r, err
	}
	if err := t.decided(s, record.Resolved(&r, shown, end, grants)); err != nil {
		return r, err
	}
	at := instant(ms(end.At))
	r.Status, r.Resolution, r.ResolvedAt, r.ResolvedBy = end.Status, end.Resolution, &at, end.By
	r.Keep, r.Words, r.Reason, r.BatchID = end.Keep, tool.Mark(end.Words), end.Reason, end.BatchID
	keep, err := keepText(end.Keep)
	if err != nil {
		return r, err
	}
	_, err = t.exec(`UPDATE approvals SET status = ?, resolution = ?, keep = ?, words = ?, resolved_at = ?, resolved_by = ?, reason = ?, batch_id = ? WHERE id = ? AND status = 'pending'`,
		string(end.Status), string(end.Resolution), keep, end.Words, ms(at), end.By, end.Reason, end.BatchID, r.ID)
	if err != nil {
		return r, err
	}
	if err := t.answer(r); err != nil {
		return r, err
	}
	if err := t.tellRequest(s, event.ApprovalResolved, r, at); err != nil {
		return r, err
	}
	if r.LeftWhy == interrupted {
		return r, t.endAnswered(s, r)
	}
	return r, nil
}

// keepText is what an answer kept of the changes, "" for all.
func keepText(keep [][]int) (string, error) {
	if keep == nil {
		return "", nil
	}
	text, err := json.Marshal(keep)
	if err != nil {
		return "", fmt.Errorf("%w: marshal what an answer kept: %w", errRefused, err)
	}
	return string(text), nil
}

// answer keeps a person's answer with the call as well: the history of calls whose callers
// left finds it there.
func (t *tx) answer(r approval.Request) error {
	if r.Resolution == "" {
		return nil
	}
	_, err := t.exec(`UPDATE invocations SET answer = ? WHERE id = ?`, string(r.Status), r.InvocationID)
	return err
}

// endAnswered ends the waiting call of an interrupted request that has ended. A yes
// is kept for a retry, so the call itself is cancelled.
func (t *tx) endAnswered(s ref, r approval.Request) error {
	c, err := t.call(r.InvocationID)
	if err != nil || c.state != session.StateWaiting {
		return err
	}
	status, code := tool.StatusCancelled, tool.CodeCancelled
	switch r.Status {
	case approval.StatusDenied:
		status, code = tool.StatusDenied, tool.CodeApprovalUserRejected
	case approval.StatusExpired:
		status, code = tool.StatusDenied, tool.CodeApprovalExpired
	case approval.StatusPending, approval.StatusApproved, approval.StatusCancelled:
	}
	return endGone(t, s, r.InvocationID, status, code, *r.ResolvedAt)
}

// Refresh puts the present decision and policy version on a pending request. It
// returns approval.ErrNoRequest for one that has ended.
func (s *Store) Refresh(ctx context.Context, id string, decision tool.Decision, policyVersion, moved string) error {
	now := s.clock.Now()
	return s.writer.do(ctx, func(t *tx) error {
		r, ref, err := t.request(id)
		if err != nil {
			return err
		}
		if r.Status != approval.StatusPending {
			return approval.ErrNoRequest
		}
		r.Decision, r.PolicyVersion, r.Moved = decision, policyVersion, moved
		card, err := jsonOrNull(r, false)
		if err != nil {
			return err
		}
		if _, err := t.exec(`UPDATE approvals SET policy_version = ? WHERE id = ?`, policyVersion, id); err != nil {
			return err
		}
		if _, err := t.exec(`UPDATE approval_cards SET card = ? WHERE approval_num = (SELECT num FROM approvals WHERE id = ?)`, card, id); err != nil {
			return err
		}
		r.Card = ""
		if _, err := t.shown(r); err != nil {
			return err
		}
		return t.tellRequest(ref, event.ApprovalChanged, r, now)
	})
}

// MarkLeft says that nobody waits for the answer any more. A request that was
// answered in the same moment keeps its answer for a retry; a used one stays as it
// is.
func (s *Store) MarkLeft(ctx context.Context, id, why string) error {
	now := s.clock.Now()
	return s.writer.do(ctx, func(t *tx) error { return markLeft(t, id, why, now) })
}

func markLeft(t *tx, id, why string, now time.Time) error {
	r, ref, err := t.request(id)
	if err != nil || r.Consumed || (r.CallerLeft && r.LeftWhy == why) {
		return err
	}
	if _, err := t.exec(`UPDATE approvals SET caller_left = 1, left_why = ? WHERE id = ?`, why, id); err != nil {
		return err
	}
	return t.tellRequest(ref, event.ApprovalLeft, r, now)
}

// Void says on an approved request why its call did not run.
func (s *Store) Void(ctx context.Context, id, words string) error {
	now := s.clock.Now()
	return s.writer.do(ctx, func(t *tx) error {
		r, ref, err := t.request(id)
		if err != nil || r.Status != approval.StatusApproved || r.Voided != "" {
			return err
		}
		if _, err := t.exec(`UPDATE approvals SET voided = ? WHERE id = ?`, words, id); err != nil {
			return err
		}
		if err := t.decided(ref, record.Voided(&r, words, now)); err != nil {
			return err
		}
		return t.tellRequest(ref, event.ApprovalChanged, r, now)
	})
}

// Rejoin gives a pending request to the invocation that waits now. It returns
// approval.ErrNoRequest for one that has ended, and for the invocation what
// AddRequest returns.
func (s *Store) Rejoin(ctx context.Context, id, invocation string) error {
	now := s.clock.Now()
	return s.writer.do(ctx, func(t *tx) error {
		r, ref, err := t.request(id)
		if err != nil {
			return err
		}
		if r.Status != approval.StatusPending {
			return approval.ErrNoRequest
		}
		c, err := t.mayWait(invocation, s.program.id)
		if err != nil {
			return err
		}
		if r.InvocationID != invocation && r.LeftWhy == interrupted {
			if err := endGone(t, ref, r.InvocationID, tool.StatusCancelled, tool.CodeCancelled, now); err != nil {
				return err
			}
		}
		if err := t.suspend(c, id); err != nil {
			return err
		}
		if _, err := t.exec(`UPDATE approvals SET caller_left = 0, left_why = '', invocation_id = ? WHERE id = ?`, invocation, id); err != nil {
			return err
		}
		r.InvocationID = invocation
		return t.tellRequest(ref, event.ApprovalRejoined, r, now)
	})
}

// Kept returns an answer that waits for a retry, the latest if there are several.
func (s *Store) Kept(ctx context.Context, sessionID, toolID, askedHash string, now time.Time) (approval.Request, error) {
	return s.request(ctx, selectRequest+` WHERE a.session_num = (SELECT num FROM sessions WHERE id = ?) AND a.asked_hash = ? AND a.consumed = 0
		AND a.tool_id = ? AND a.caller_left = 1 AND a.status IN ('approved', 'denied') AND a.resolution <> '' AND a.expires_at > ?
		ORDER BY a.resolved_at DESC, a.num DESC LIMIT 1`, sessionID, askedHash, toolID, ms(now))
}

// Consume uses up an answer; only a request that a person approved or denied has one.
func (s *Store) Consume(ctx context.Context, id string) (used bool, err error) {
	err = s.writer.do(ctx, func(t *tx) error {
		n, err := t.exec(`UPDATE approvals SET consumed = 1 WHERE id = ? AND consumed = 0 AND status IN ('approved', 'denied') AND resolution <> ''`, id)
		if used = n == 1; err != nil || used {
			return err
		}
		there, err := t.there(`SELECT 1 FROM approvals WHERE id = ?`, id)
		return errors.Join(err, when(err == nil && !there, approval.ErrNoRequest))
	})
	return used && err == nil, err
}
