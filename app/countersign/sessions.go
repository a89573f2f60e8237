package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"countersign/app/desk"
	"countersign/backend/approval"
	"countersign/backend/session"
	"countersign/backend/store"
)

// pageSize is how much of a long list is read at a time.
const pageSize = 1000

func (p *program) sessionsCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "sessions", Short: "List, show and export what happened", Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			return refusal("Say list, show or export. See countersign sessions --help.")
		},
	}
	c.AddCommand(p.sessionsListCommand(), p.sessionsShowCommand(), p.sessionsExportCommand())
	return c
}

func oneSession(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return refusal("Name one session by its id, or by how its id begins. See countersign sessions list.")
	}
	return nil
}

// sessionLine is a session as it is listed in JSON.
type sessionLine struct {
	ID         string             `json:"id"`
	Title      string             `json:"title"`
	Workspace  string             `json:"workspace"`
	Caller     string             `json:"caller"`
	CallerKind session.CallerKind `json:"caller_kind"`
	Status     session.Status     `json:"status"`
	Waiting    int                `json:"waiting"`
	CreatedAt  string             `json:"created_at"`
	UpdatedAt  string             `json:"updated_at"`
}

func sessionLineOf(s session.Session) sessionLine {
	return sessionLine{
		ID: s.ID, Title: s.Title.Open(), Workspace: s.Workspace, Caller: s.Caller.Name.Open(), CallerKind: s.Caller.Kind,
		Status: s.Status, Waiting: s.Waiting, CreatedAt: clockText(s.CreatedAt), UpdatedAt: clockText(s.UpdatedAt),
	}
}

func clockText(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func (p *program) sessionsListCommand() *cobra.Command {
	var asJSON bool
	var limit int
	c := &cobra.Command{
		Use: "list", Short: "List the sessions, the youngest first", Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if limit < 1 || limit > pageSize {
				return refusal("--limit takes 1 to 1000.")
			}
			return p.withHistory(c.Context(), func(h history) error {
				list, err := h.Sessions(c.Context(), limit, "")
				if err != nil {
					return failed(err)
				}
				return p.printSessions(list, asJSON)
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().IntVar(&limit, "limit", 100, "how many at most")
	return c
}

func (p *program) printSessions(list []session.Session, asJSON bool) error {
	if asJSON {
		lines := make([]sessionLine, 0, len(list))
		for _, s := range list {
			lines = append(lines, sessionLineOf(s))
		}
		return printJSON(p.stdout, map[string]any{"sessions": lines})
	}
	t := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ID\tLAST USED\tCALLER\tSTATUS\tWAITING\tTITLE\tWORKSPACE")
	for _, s := range list {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%s\t%s\n", s.ID, clockText(s.UpdatedAt), callerText(s.Caller), s.Status, s.Waiting,
			desk.Visible(s.Title.Open()), desk.Visible(s.Workspace))
	}
	return t.Flush()
}

func callerText(c session.Caller) string {
	if name := strings.TrimSpace(c.Name.Open()); name != "" {
		return desk.Visible(name)
	}
	return string(c.Kind)
}

func (p *program) sessionsShowCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "show ID", Short: "Show what was said and done in a session; the beginning of its id will do", Args: oneSession,
		RunE: func(c *cobra.Command, args []string) error {
			return p.story(c.Context(), args[0], func(s session.Session, entries []entry) error {
				if asJSON {
					return p.showJSON(s, entries)
				}
				return p.showText(s, entries)
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// failed is a command that could not do what it was asked.
func failed(err error) error {
	if errors.Is(err, session.ErrNoSession) {
		return refusal("There is no session of that id. See countersign sessions list.")
	}
	if errors.Is(err, errSeveral) {
		return refusal("The ids of several sessions begin like that. Give more of it.")
	}
	return &exit{code: exitFailed, sentence: desk.Sentence(err)}
}

// entry is a message or a call of a session, read whole.
type entry struct {
	seq     int64
	message *session.Message
	call    *store.Call
	// request is the latest that was made for the call, nil without one.
	request *approval.Request
}

// story reads a session and its timeline, oldest first.
func (p *program) story(ctx context.Context, id string, do func(session.Session, []entry) error) error {
	return p.withHistory(ctx, func(h history) error {
		s, err := find(ctx, h, id)
		if err != nil {
			return failed(err)
		}
		entries, err := timeline(ctx, h, s.ID)
		if err != nil {
			return failed(err)
		}
		return do(s, entries)
	})
}

// asked is the request of an id, nil for none.
func asked(ctx context.Context, s history, id string) (*approval.Request, error) {
	if id == "" {
		return nil, nil
	}
	r, err := s.Request(ctx, id)
	return &r, err
}

// timeline reads a whole timeline, page by page from its end.
func timeline(ctx context.Context, s history, id string) ([]entry, error) {
	out := []entry{}
	before := int64(0)
	for {
		page, err := s.Timeline(ctx, id, before, pageSize)
		if err != nil {
			return nil, err
		}
		for _, e := range page {
			row := entry{seq: e.Seq, message: e.Message}
			if e.Call != nil {
				whole, err := s.Invocation(ctx, e.Call.ID)
				if err != nil {
					return nil, err
				}
				row.call = &whole
				if row.request, err = asked(ctx, s, whole.ApprovalID); err != nil {
					return nil, err
				}
			}
			out = append(out, row)
			before = e.Seq
		}
		if len(page) < pageSize {
			slices.Reverse(out)
			return out, nil
		}
	}
}
