package process

import (
	"context"
	"strings"

	"countersign/backend/bound"
	"countersign/backend/running"
	"countersign/backend/tool"
)

// read shows what a process printed since the last read, or from a line on.
func (in input) read(ctx context.Context, env tool.Env) (tool.Result, error) {
	if _, err := in.find(env); err != nil {
		return tool.Result{}, err
	}
	page, err := env.Host.Processes.Read(ctx, in.ID, in.offset(), 0)
	if err != nil {
		return tool.Result{}, err
	}
	p := page.Process
	output, truncation := shown(page)
	stands := " (" + standingWords(p) + ", " + bound.Plural(p.Lines, "line") + " total)."
	var text string
	switch {
	case page.Gone:
		text = "The output of " + p.ID + " is not kept any more" + stands
	case output == "" && in.offset() > p.Lines:
		text = "Line " + bound.Count(in.offset()) + " is beyond the output of " + p.ID + stands
	case output == "":
		text = "No new output from " + p.ID + " since last read" + stands + " Use offset to re-read earlier output."
	default:
		which := " since last read"
		if in.Offset != "" {
			which = " from line " + bound.Count(page.First)
		}
		text = "Output of " + p.ID + which + " (lines " + bound.Count(page.First) + "–" + bound.Count(page.Last) + " of " + bound.Count(p.Lines) + "):\n" + output
		if p.Status.Ended() {
			text += "[" + p.ID + " " + running.Ended(p) + ".]\n"
		}
	}
	if p.Status.Ended() {
		text = strings.TrimSuffix(text, "\n") + "\n" + strings.TrimSpace(logWords(p))
	}
	fresh := max(page.Last-page.First+1, 0)
	res := in.result(strings.TrimSuffix(text, "\n"), "Process read "+p.ID+" · "+bound.Plural(fresh, "new line"), p)
	res.Metadata.Truncation = truncation
	if in.Offset != "" {
		// They are new to nobody, so they count as lines that were read.
		res.Metadata.Title = "Process read " + p.ID + " · " + bound.Plural(fresh, "line")
		res.Metadata.Extra["lines"] = fresh
	} else {
		res.Metadata.Extra["newLines"] = fresh
	}
	return res, nil
}

// offset is the line to read from, 0 for what is new. A number that is too large for a
// line is beyond every output.
func (in input) offset() int64 {
	if in.Offset == "" {
		return 0
	}
	f, _ := in.Offset.Float64()
	const beyond = 1 << 52
	return int64(min(f, beyond))
}

func standingWords(p tool.Process) string {
	if p.Status == tool.ProcessRunning {
		return "still running"
	}
	return running.Ended(p)
}

// shown is the text of a page with a line break at its end, and a marker where more
// follows.
func shown(page tool.Page) (string, *tool.Truncation) {
	text := page.Text
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if page.RestBytes == 0 {
		return text, nil
	}
	path := page.Process.LogPath
	return text + bound.Marker(page.RestLines, page.RestBytes, path) + "\n", &tool.Truncation{
		OriginalBytes: int64(len(page.Text)) + page.RestBytes, OriginalLines: page.Last - page.First + 1 + page.RestLines,
		ShownHeadLines: page.Last - page.First + 1, OmittedLines: page.RestLines, SpillPath: path,
	}
}
