package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/mattn/go-sqlite3"
)

// Write runs f as one write, with a way to run statements in it.
func (s *Store) Write(ctx context.Context, f func(exec func(text string, args ...any) error) error) error {
	return s.writer.do(ctx, func(t *tx) error {
		return f(func(text string, args ...any) error {
			_, err := t.exec(text, args...)
			return err
		})
	})
}

// Hold keeps the writer busy with a write of its own. It returns once the writer is
// in it; release ends it.
func (s *Store) Hold() (release func()) {
	in, out, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		_ = s.writer.do(context.Background(), func(*tx) error { close(in); <-out; return nil })
	}()
	<-in
	return func() { close(out); <-done }
}

// Queued returns how many writes wait for the writer.
func (s *Store) Queued() int {
	s.writer.mu.Lock()
	defer s.writer.mu.Unlock()
	return len(s.writer.queue)
}

// CountCommits has every later commit counted. The returned function reads the count.
func (s *Store) CountCommits() (count func() int) {
	n := 0
	_ = s.writer.do(context.Background(), func(t *tx) error {
		return t.writer.conn.Raw(func(c any) error {
			c.(*sqlite3.SQLiteConn).RegisterCommitHook(func() int { n++; return 0 })
			return nil
		})
	})
	return func() (now int) {
		_ = s.writer.do(context.Background(), func(*tx) error { now = n; return nil })
		return now
	}
}

// MayMigrate is the rule about migrating under a living program.
func MayMigrate(have int64, othersAlive bool) error {
	return versions{have: have, known: have + 1}.mayMigrate(othersAlive)
}

// Known is the version that this program brings a database to.
func Known() int64 { return lastMigration() }

// Refused marks writes that only a fault of ours could ask for.
var Refused = errRefused

// WriterPragma reads a setting of the connection that writes.
func (s *Store) WriterPragma(name string) (value string) {
	_ = s.writer.do(context.Background(), func(t *tx) error { return t.row("PRAGMA "+name, nil, &value) })
	return value
}

// ReaderPragma reads a setting of a connection that reads.
func (s *Store) ReaderPragma(name string) (value string) {
	_, _ = s.one(context.Background(), "PRAGMA "+name, nil, &value)
	return value
}

// LimitPages lets the database grow by so many pages only; 0 lifts the limit.
func (s *Store) LimitPages(more int) (limit func(more int)) {
	limit = func(more int) {
		_ = s.writer.do(context.Background(), func(t *tx) error {
			var pages, set int
			if err := t.row("PRAGMA page_count", nil, &pages); err != nil {
				return err
			}
			if more == 0 {
				pages = 1 << 30
			}
			return t.row(fmt.Sprintf("PRAGMA max_page_count = %d", pages+more), nil, &set)
		})
	}
	limit(more)
	return limit
}

// Find returns where a word stands, as kind and reference of each text.
func (s *Store) Find(word string) string {
	var out []string
	_ = s.each(context.Background(), `SELECT d.kind, d.ref FROM search JOIN search_docs d ON d.num = search.rowid
		WHERE search MATCH ? ORDER BY d.kind, d.ref`, []any{word}, func(rows *sql.Rows) error {
		var kind, about string
		err := rows.Scan(&kind, &about)
		out = append(out, kind, about)
		return err
	})
	return strings.Join(out, " ")
}

// OpenCallsPlan is how SQLite looks for the calls of a session that have not ended.
func (s *Store) OpenCallsPlan() string {
	var out []string
	_ = s.each(context.Background(), "EXPLAIN QUERY PLAN "+selectOpenCalls, []any{1}, func(rows *sql.Rows) error {
		var id, parent, unused int
		var detail string
		err := rows.Scan(&id, &parent, &unused, &detail)
		out = append(out, detail)
		return err
	})
	return strings.Join(out, "; ")
}

// ChangedPlans is how SQLite looks for the messages and the calls that changed.
func (s *Store) ChangedPlans() map[string]string {
	plans := map[string]string{}
	for name, q := range map[string]struct {
		text string
		args int
	}{"m": {changedSaid, 5}, "i": {changedCalls, 6}} {
		_ = s.each(context.Background(), "EXPLAIN QUERY PLAN "+q.text, make([]any, q.args), func(rows *sql.Rows) error {
			var id, parent, unused int
			var detail string
			err := rows.Scan(&id, &parent, &unused, &detail)
			plans[name] += detail + "\n"
			return err
		})
	}
	return plans
}

// HistoryPlans is how SQLite looks for calls by time, by tool and by ending, and how it
// reads the values that can be chosen from.
func (s *Store) HistoryPlans() map[string]string {
	plans := map[string]string{}
	for name, q := range map[string]struct {
		text string
		args int
	}{
		"time": {courseBy(byTime).find, 13}, "tool": {courseBy(byTool).find, 13}, "ending": {courseBy(byEnding).find, 13},
		"time reach": {courseBy(byTime).reach, 4}, "tool reach": {courseBy(byTool).reach, 4}, "ending reach": {courseBy(byEnding).reach, 4},
		"call": {selectHistoryCall, 1}, "tools": {selectTools, 1}, "workspaces": {selectWorkspaces, 1}, "callers": {selectCallers, 2},
	} {
		plans[name] = s.plan(q.text, q.args)
	}
	return plans
}

// GrantPlans is how SQLite looks for the grants that hold, and for the calls that a considered
// one is held against.
func (s *Store) GrantPlans() map[string]string {
	return map[string]string{
		"held": s.plan(selectGrant+heldGrants, 3), "in session": s.plan(recentInSession, 5), "in workspace": s.plan(recentInWorkspace, 5),
	}
}

func (s *Store) plan(text string, args int) string {
	var out []string
	_ = s.each(context.Background(), "EXPLAIN QUERY PLAN "+text, make([]any, args), func(rows *sql.Rows) error {
		var id, parent, unused int
		var detail string
		err := rows.Scan(&id, &parent, &unused, &detail)
		out = append(out, detail)
		return err
	})
	return strings.Join(out, "\n")
}

// MaxLooked is how many calls one page of the history looks at.
const MaxLooked = maxLooked
