package calculate

import "countersign/backend/tool"

// The codes of the tool. Each is a property of the expression, so the same call
// fails the same way for ever and is never worth repeating.
const (
	CodeSyntax         tool.Code = "tool.invalid_arguments.syntax"
	CodeUnknownName    tool.Code = "tool.invalid_arguments.unknown_name"
	CodeArity          tool.Code = "tool.invalid_arguments.arity"
	CodeDomain         tool.Code = "tool.invalid_arguments.domain"
	CodeDivisionByZero tool.Code = "tool.invalid_arguments.division_by_zero"
	CodeOutOfRange     tool.Code = "tool.invalid_arguments.result_out_of_range"
	CodeTooLong        tool.Code = "tool.invalid_arguments.expression_too_long"
	CodeTooDeep        tool.Code = "tool.invalid_arguments.expression_too_deep"
)

func reasons() []tool.Reason {
	sentences := []struct {
		code     tool.Code
		sentence string
	}{
		{CodeSyntax, "The expression could not be parsed."},
		{CodeUnknownName, "Unknown function or constant. Functions: abs, ceil, exp, floor, ln, log10, max, min, round, sqrt. Constants: pi, e."},
		{CodeArity, "Wrong number of arguments for that function."},
		{CodeDomain, "An argument is outside the function's domain."},
		{CodeDivisionByZero, "Division by zero."},
		{CodeOutOfRange, "The result is too large or too small to represent."},
		{CodeTooLong, "The expression is longer than 1024 characters."},
		{CodeTooDeep, "The expression is nested more than 32 levels deep."},
	}
	out := make([]tool.Reason, 0, len(sentences))
	for _, s := range sentences {
		out = append(out, tool.Reason{
			Code: s.code, Status: tool.StatusFailed, Sentence: s.sentence,
			Remediation: tool.RemediationModifyArguments,
		})
	}
	return out
}
