package bridge

import (
	"context"
	"fmt"
	"reflect"
	"runtime/debug"
	"time"
)

// methodTimeout bounds one method; nothing here waits for a person.
const methodTimeout = 30 * time.Second

// respond runs one method: with a time limit, with panics turned into an Error,
// and with lists that are never null. The panic's value is not logged, since it
// may hold foreign text; its stack is.
func respond[T any](a *API, method string, f func(ctx context.Context) (T, error)) (out T, err error) {
	ctx, cancel := context.WithTimeout(a.ctx, methodTimeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			a.log.Error("method panicked", "method", method, "type", fmt.Sprintf("%T", p), "stack", string(debug.Stack()))
			var zero T
			out, err = zero, faultOf(errPanic, nil)
		}
	}()
	out, err = f(ctx)
	if err != nil {
		fault := faultOf(err, a.engine.Reasons())
		if fault.Code == CodeInternal {
			a.log.Error("method failed", "method", method, "cause", err)
		}
		var zero T
		return zero, fault
	}
	complete(reflect.ValueOf(&out).Elem())
	return out, nil
}

// perform is respond for a method that only does something.
func perform(a *API, method string, f func(ctx context.Context) error) error {
	_, err := respond(a, method, func(ctx context.Context) (struct{}, error) { return struct{}{}, f(ctx) })
	return err
}

// complete replaces every null list and map inside v by an empty one.
func complete(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			complete(v.Field(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			complete(v.Elem())
		}
	case reflect.Slice:
		if v.IsNil() {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		for i := range v.Len() {
			complete(v.Index(i))
		}
	case reflect.Map:
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
	default:
	}
}
