package registry

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"countersign/backend/schema"
	"countersign/backend/tool"
)

// validate checks the arguments as the caller sent them.
func (r *Registry) validate(_ context.Context, c *run) error { return assemble(c, c.call.Arguments) }

// assemble reads the complete arguments and checks them as a whole.
func assemble(c *run, text []byte) error {
	if len(text) > maxArguments {
		return tool.Errorf(tool.CodeArgumentsInvalid, "%d bytes of arguments", len(text)).
			WithText("The arguments are larger than 8 MiB.")
	}
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}")
	}
	object, err := schema.ReadObject(text)
	if err != nil {
		return invalid(c, err)
	}
	for alias, name := range c.entry.spec.Aliases {
		v, given := object[alias]
		if !given {
			continue
		}
		if _, both := object[name]; both {
			return tool.Errorf(tool.CodeArgumentsInvalid, "%s and its alias", name).
				WithText(`Give either "` + name + `" or "` + alias + `", not both.`)
		}
		delete(object, alias)
		object[name] = v
	}
	if err := c.entry.input.Validate(object); err != nil {
		return invalid(c, err)
	}
	if !c.entry.spec.AnyText {
		if err := schema.PlainText(object); err != nil {
			return invalid(c, err)
		}
	}
	c.value, c.text = object, text
	return nil
}

// invalid turns a fault into repair prose: it names the tool and the fields, never a
// value.
func invalid(c *run, err error) error {
	var fault *schema.Fault
	if !errors.As(err, &fault) {
		return tool.Errorf(tool.CodeArgumentsInvalid, "read the arguments: %w", err)
	}
	return tool.Errorf(tool.CodeArgumentsInvalid, "%w", err).WithText(
		`Invalid input for tool "` + c.entry.spec.WireName() + `": ` + fault.Error() +
			". Please rewrite the input so it satisfies the expected schema.")
}

// normalise makes the arguments canonical, and admits a call that did not meet the same end
// too often.
func (r *Registry) normalise(ctx context.Context, c *run) error {
	if err := r.canonicalise(ctx, c); err != nil {
		return err
	}
	return c.s.Memory.admit(c.entry.spec.ID, c.args.Hash)
}

// canonicalise writes the arguments in their canonical form and hashes it. The form that
// the tool runs on differs only in strings that were not in NFC.
func (r *Registry) canonicalise(_ context.Context, c *run) error {
	canonical, err := schema.AppendCanonical(make([]byte, 0, len(c.call.Arguments)+16), c.value)
	if err != nil {
		return invalid(c, err)
	}
	c.args = tool.Args{Canonical: canonical, Written: c.text}
	if !schema.Normal(c.value) {
		if c.args.Exact, err = schema.AppendExact(nil, c.value); err != nil {
			return invalid(c, err)
		}
	}
	c.args.Hash = hexSum(canonical)
	c.inv.ArgumentsHash, c.inv.Canonical = c.args.Hash, c.args.Sent()
	c.effect = c.entry.spec.Class.SideEffect
	if c.entry.spec.Effect != nil {
		c.effect = c.entry.spec.Effect(c.args)
	}
	c.inv.SideEffect = c.effect
	return nil
}

// hexSum is lower-case hex sha256.
func hexSum(b []byte) string {
	sum := sha256.Sum256(b)
	var text [2 * sha256.Size]byte
	hex.Encode(text[:], sum[:])
	return string(text[:])
}
