package bridge

import (
	"context"
	"errors"
	"fmt"

	"countersign/backend/tool"
)

// Codes of an Error, besides the reason codes of calls.
const (
	CodeNotFound    = "not_found"
	CodeInvalid     = "invalid"
	CodeUnavailable = "unavailable"
	CodeBusy        = "busy"
	CodeInternal    = "internal"
)

// Error returns the code and the sentence.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Fault makes an Error with a sentence for the person that tells the next step.
func Fault(code, message string) *Error {
	return &Error{Code: code, Message: message, Fields: map[string]string{}}
}

// invalid makes an Error about one field of a request.
func invalid(field, words string) *Error {
	e := Fault(CodeInvalid, "The request was not understood. Nothing was changed.")
	e.Fields[field] = words
	return e
}

// errPanic says that a method broke on a fault of ours.
var errPanic = errors.New("panic")

// faultOf turns an error into what the page may see: fixed sentences only, since
// causes can name paths and carry foreign text. The cause goes to the log.
func faultOf(err error, reasons map[tool.Code]tool.Reason) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		if e.Fields == nil {
			e.Fields = map[string]string{}
		}
		return e
	}
	if e, ok := errors.AsType[*tool.Error](err); ok {
		if r, ok := reasons[e.Code]; ok {
			return Fault(string(e.Code), r.Sentence)
		}
		return Fault(CodeInternal, fmt.Sprintf("It could not be done (%s). The log has the cause.", e.Code))
	}
	switch {
	case errors.Is(err, ErrNotFound):
		return Fault(CodeNotFound, "It is not there any more. The list has been read again.")
	case errors.Is(err, context.DeadlineExceeded):
		return Fault(CodeUnavailable, "It took too long and was given up. Nothing was changed; try again.")
	case errors.Is(err, context.Canceled):
		return Fault(CodeUnavailable, "Countersign is closing. Nothing was changed.")
	}
	return Fault(CodeInternal, "Something went wrong inside Countersign. What was stored is kept; the log has the cause.")
}
