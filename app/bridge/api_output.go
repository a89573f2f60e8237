package bridge

import (
	"context"
	"errors"
	"io"

	"countersign/backend"
	"countersign/backend/session"
)

// Output tells of a text of the output store. Its lines are counted from now on.
func (a *API) Output(r OutputRef) (OutputView, error) {
	return respond(a, "Output", func(ctx context.Context) (OutputView, error) { return a.output(ctx, r) })
}

// OutputLines returns lines of a text of any size.
func (a *API) OutputLines(r OutputLinesRequest) (OutputLines, error) {
	return respond(a, "OutputLines", func(ctx context.Context) (OutputLines, error) { return a.outputLines(ctx, r) })
}

// OutputPiece returns more of a long line.
func (a *API) OutputPiece(r OutputPieceRequest) (OutputPiece, error) {
	return respond(a, "OutputPiece", func(ctx context.Context) (OutputPiece, error) { return a.outputPiece(ctx, r) })
}

// OutputFind looks through a part of a text. Whoever does not ask again has stopped the search.
func (a *API) OutputFind(r OutputFindRequest) (OutputFound, error) {
	return respond(a, "OutputFind", func(ctx context.Context) (OutputFound, error) { return a.outputFind(ctx, r) })
}

// OutputRange returns whole lines as text, to be copied.
func (a *API) OutputRange(r OutputRangeRequest) (OutputRange, error) {
	return respond(a, "OutputRange", func(ctx context.Context) (OutputRange, error) { return a.outputRange(ctx, r) })
}

// KeepOutput keeps a text as it is now for thirty days, whatever becomes of its session.
func (a *API) KeepOutput(r OutputRef) (OutputView, error) {
	return respond(a, "KeepOutput", func(ctx context.Context) (OutputView, error) {
		if err := a.keepOutput(ctx, r); err != nil {
			return OutputView{}, err
		}
		return a.output(ctx, r)
	})
}

// Files are texts of the output store for the programs behind a page: no wire has them.
type Files struct{ api *API }

// FilesOf are the texts that an API tells of.
func FilesOf(a *API) Files { return Files{a} }

// Folder is the folder that a text lies in.
func (f Files) Folder(r OutputRef) (string, error) {
	return respond(f.api, "OutputFolder", func(ctx context.Context) (string, error) {
		if err := r.check(); err != nil {
			return "", err
		}
		folder, err := f.api.engine.OutputFolder(ctx, r.SessionID, r.Name)
		return folder, outputFault(err)
	})
}

// Copy gives all of a text, as it was printed, to take with its size in bytes.
func (f Files) Copy(r OutputRef, take func(text io.Reader, size int64) error) error {
	return perform(f.api, "CopyOutput", func(ctx context.Context) error {
		if err := r.check(); err != nil {
			return err
		}
		return outputFault(f.api.engine.CopyOutput(ctx, r.SessionID, r.Name, take))
	})
}

// CodeGone says that a text is no longer kept.
const CodeGone = "gone"

// outputFault says what is wrong with a text in words.
func outputFault(err error) error {
	switch {
	case errors.Is(err, backend.ErrOutputGone):
		return Fault(CodeGone, "This output is no longer kept. The preview that the model read is still in the history.")
	case errors.Is(err, session.ErrNoOutput):
		return Fault(CodeNotFound, "There is no such output. Go back and open it from its call.")
	}
	return err
}
