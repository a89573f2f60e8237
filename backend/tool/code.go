package tool

import (
	"fmt"
	"regexp"
)

// Code is a reason code: the diagnosis of a refusal or failure, dotted, stable
// and free of input. Callers branch on it, never on a sentence.
type Code string

// Codes of the pipeline.
const (
	CodeArgumentsInvalid   Code = "tool.arguments_invalid"
	CodeNotFound           Code = "tool.not_found"
	CodeNotEnabled         Code = "tool.not_enabled"
	CodeUnavailable        Code = "tool.unavailable"
	CodeTimeout            Code = "tool.timeout"
	CodeExecutionFailed    Code = "tool.execution_failed"
	CodeOutputInvalid      Code = "tool.output_invalid"
	CodeOutputTooLarge     Code = "tool.output_too_large"
	CodeUncertain          Code = "tool.uncertain"
	CodeCancelled          Code = "tool.cancelled"
	CodeRepeatedDenial     Code = "tool.policy_denied"
	CodeLoopDetected       Code = "tool.loop_detected"
	CodeDuplicateCall      Code = "tool.duplicate_call"
	CodeStorageUnavailable Code = "tool.storage_unavailable"
)

// Codes of policy.
const (
	CodePolicyBlocked            Code = "policy.blocked"
	CodePolicyReadOnly           Code = "policy.read_only"
	CodePolicyWorkspaceUntrusted Code = "policy.workspace_untrusted"
	CodePolicyOutsideWorkspace   Code = "policy.outside_workspace"
	CodePolicyScopeMissing       Code = "policy.scope.missing"
	CodePolicyUnclassifiable     Code = "policy.unclassifiable_action"
	CodePolicyDenied             Code = "policy.denied"
	CodePolicyHostNotListed      Code = "policy.domain_not_allowed"
	CodePolicyInsecureURL        Code = "policy.insecure_url"
	CodePolicyNotIsolated        Code = "policy.not_isolated"
	CodePolicyPathMoved          Code = "policy.path_moved"
	CodePolicyEscalated          Code = "policy.revalidation.escalated"
	CodePolicyReviewerDenied     Code = "policy.reviewer_denied"
	CodePolicyHookDenied         Code = "policy.hook_denied"
	CodePolicyHookFailed         Code = "policy.hook_failed"
	CodePolicySetChanged         Code = "policy.set_changed"
)

// Codes of approval.
const (
	CodeApprovalUserRejected Code = "approval.user_rejected"
	CodeApprovalNoOperator   Code = "approval.no_operator"
	CodeApprovalError        Code = "approval.approval_error"
	CodeApprovalExpired      Code = "approval.expired"
	CodeApprovalInvalidated  Code = "approval.invalidated"
	CodeApprovalPending      Code = "approval.pending"
	CodeApprovalTooMany      Code = "approval.too_many"
)

// Remediation tells a model what kind of next step could help.
type Remediation string

// The remediations.
const (
	RemediationNone            Remediation = "none"
	RemediationRequestApproval Remediation = "request_approval"
	RemediationModifyArguments Remediation = "modify_arguments"
)

// Reason is what a code means: the status that it ends a call with, the fixed
// sentence for the model, and whether the same call can ever succeed later.
type Reason struct {
	Code        Code
	Status      Status
	Sentence    string
	Retryable   bool
	Remediation Remediation
}

// Reasons returns the reasons that the pipeline, policy and approval use. A
// tool adds its own in Spec.Reasons. No sentence carries input.
func Reasons() []Reason {
	return []Reason{
		{CodeArgumentsInvalid, StatusFailed, "The arguments do not satisfy the tool's input schema. Rewrite them to match it.", false, RemediationModifyArguments},
		{CodeNotFound, StatusDenied, "No tool of that name is offered. Use one of the advertised names.", false, RemediationModifyArguments},
		{CodeNotEnabled, StatusDenied, "This tool is not enabled here. Use one of the advertised tools.", false, RemediationNone},
		{CodeUnavailable, StatusUnavailable, "The tool cannot work right now. Try again later.", true, RemediationNone},
		{CodeTimeout, StatusFailed, "The tool reached its time limit and was stopped.", true, RemediationNone},
		{CodeExecutionFailed, StatusFailed, "The tool failed while it ran.", true, RemediationNone},
		{CodeOutputInvalid, StatusFailed, "The tool's result did not have its declared form and was withheld.", false, RemediationNone},
		{CodeOutputTooLarge, StatusFailed, "The tool produced more than it may; the part that was kept is in the output store.", false, RemediationModifyArguments},
		{CodeUncertain, StatusUncertain, "The call had started when it was interrupted, and its effect is not known. Check before doing it again.", false, RemediationNone},
		{CodeCancelled, StatusCancelled, "The call was cancelled.", false, RemediationNone},
		{CodeRepeatedDenial, StatusDenied, "The same call was denied three times, or ended before with an effect that is not known. Do not repeat it; change the approach or ask the user.", false, RemediationNone},
		{CodeLoopDetected, StatusDenied, "The same call was made five times without progress. Change the approach.", false, RemediationNone},
		{CodeDuplicateCall, StatusDenied, "This call was already taken up under the same call identity.", false, RemediationNone},
		{CodeStorageUnavailable, StatusUnavailable, "The call could not be recorded: it was not run, or its result was withheld.", true, RemediationNone},

		{CodePolicyBlocked, StatusDenied, "This action is blocked and cannot be approved. Change the approach.", false, RemediationNone},
		{CodePolicyReadOnly, StatusDenied, "The session is read-only. Nothing may be changed until the user lifts the lock.", false, RemediationNone},
		{CodePolicyWorkspaceUntrusted, StatusDenied, "The workspace is not trusted yet, so only reading is possible. The user decides that, not you.", false, RemediationNone},
		{CodePolicyOutsideWorkspace, StatusDenied, "The path is outside the workspace, where this tool may not go.", false, RemediationModifyArguments},
		{CodePolicyScopeMissing, StatusDenied, "The caller lacks a scope that this tool requires.", false, RemediationNone},
		{CodePolicyUnclassifiable, StatusDenied, "The action could not be classified, so it was refused.", false, RemediationModifyArguments},
		{CodePolicyDenied, StatusDenied, "Policy does not allow this action here.", false, RemediationNone},
		{CodePolicyHostNotListed, StatusDenied, "The host is not on the list of allowed hosts.", false, RemediationModifyArguments},
		{CodePolicyInsecureURL, StatusDenied, "Only https addresses may be reached.", false, RemediationModifyArguments},
		{CodePolicyNotIsolated, StatusDenied, "Running code outside an isolated place is not allowed here.", false, RemediationNone},
		{CodePolicyPathMoved, StatusDenied, "The path led somewhere else when the call was about to run, so it was not run.", true, RemediationNone},
		{CodePolicyReviewerDenied, StatusDenied, "A reviewer refused the call. Do not repeat it; change the approach or ask the user.", false, RemediationNone},
		{CodePolicyHookDenied, StatusDenied, "A hook of the user's refused the call. Do not repeat it; change the approach or ask the user.", false, RemediationNone},
		{CodePolicyHookFailed, StatusDenied, "A hook that must look at every call gave no answer, so the call was not run. Tell the user; only the user can mend that.", false, RemediationNone},
		{CodePolicySetChanged, StatusDenied, "The tool set of this tool changed since the user let it in, so its calls are refused until the user accepts the change. Tell the user; only the user can do that.", false, RemediationNone},
		{CodePolicyEscalated, StatusDenied, "The rules changed while the call waited, and they no longer let an answer run it.", false, RemediationNone},

		{CodeApprovalUserRejected, StatusDenied, "The user declined this call. Do not retry the same call; change the approach or ask the user.", false, RemediationNone},
		{CodeApprovalNoOperator, StatusDenied, "The call needs the user's approval and nobody is there to give it. Do not retry the same call; change the approach or ask the user.", false, RemediationRequestApproval},
		{CodeApprovalError, StatusDenied, "Approval could not be obtained, so the call was not run.", false, RemediationRequestApproval},
		{CodeApprovalExpired, StatusDenied, "The request for approval expired without an answer, so the call was not run.", false, RemediationRequestApproval},
		{CodeApprovalInvalidated, StatusDenied, "The approval no longer fits the call, so it was not run.", false, RemediationRequestApproval},
		{CodeApprovalTooMany, StatusDenied, "Too many calls of this session wait for the user already. Wait for their answers before you ask for more.", true, RemediationNone},
		{CodeApprovalPending, StatusDenied, "The call still waits for the user's answer. Make the same call again later to pick the answer up.", true, RemediationRequestApproval},
	}
}

var codeGrammar = regexp.MustCompile(`^(tool|policy|approval)(\.[a-z][a-z0-9_]*){1,3}$`)

// Known reports whether c has the form of a reason code.
func (c Code) Known() bool { return codeGrammar.MatchString(string(c)) }

// Error is a failure with a code. Detail is for the log: it may name causes and
// must never reach a model or an event.
type Error struct {
	Code Code
	// Content is repair prose for the model, where the tool's contract gives it.
	Content []Part
	// Metadata goes to the window and the store with the failed outcome.
	Metadata *Metadata
	// Detail wraps the cause.
	Detail error
}

// Errorf makes a failure with a code; the format and its operands are for the
// log only.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Detail: fmt.Errorf(format, args...)}
}

// WithText adds repair prose for the model and returns e.
func (e *Error) WithText(text string) *Error {
	e.Content = append(e.Content, TextPart(text))
	return e
}

// Error returns the code and the cause, for the log.
func (e *Error) Error() string {
	if e.Detail == nil {
		return string(e.Code)
	}
	return string(e.Code) + ": " + e.Detail.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Detail }
