// Package externalwrite is demo.external_write: a call that always needs a person
// and reaches nothing.
//
// It exists so that approval can be shown and tried with a tool that has no other
// way to fail. The destination is never resolved, parsed or connected to; the
// record of the call is its result, which the pipeline keeps like any other, and
// there is no second place that would have to be kept in step with it.
package externalwrite
