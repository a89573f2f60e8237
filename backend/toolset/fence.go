package toolset

import (
	"slices"
	"strconv"

	"countersign/backend/schema"
	"countersign/backend/tool"
)

// writtenOf are the arguments of a call in the order and spelling they were written in.
func writtenOf(args tool.Args) []byte {
	if args.Written != nil {
		return args.Written
	}
	return args.Sent()
}

// paths returns the paths among the arguments, in the order in which they stand there.
func (x *external) paths(written []byte) ([]string, error) {
	var out []string
	_, err := x.rewrite(written, func(path string) string {
		out = append(out, path)
		return path
	})
	return out, err
}

// fenced returns the arguments with every path as the absolute path that it was resolved to.
// Nothing else of the text changes: numbers, order and unknown properties stay as they were sent.
func (x *external) fenced(written []byte, resolved []tool.Touch) ([]byte, error) {
	at := 0
	out, err := x.rewrite(written, func(path string) string {
		if at >= len(resolved) || resolved[at].Path.Arg != path {
			at = len(resolved) + 1
			return path
		}
		at++
		return resolved[at-1].Path.Real
	})
	if err == nil && at != len(resolved) {
		return nil, tool.Errorf(tool.CodePolicyPathMoved, "the paths of the call are not those that were judged")
	}
	return out, err
}

// rewrite puts what each gives in the place of every path.
func (x *external) rewrite(written []byte, each func(string) string) ([]byte, error) {
	members, err := schema.Members(written)
	if err != nil {
		return nil, unread(err)
	}
	out := make([]byte, 0, len(written)+64*len(x.tool.PathArguments))
	end := 0
	for _, m := range members {
		if !slices.Contains(x.tool.PathArguments, m.Name) {
			continue
		}
		out = append(out, written[end:m.Value]...)
		if out, err = appendPaths(out, m.Name, m.Text, each); err != nil {
			return nil, err
		}
		end = m.Value + len(m.Text)
	}
	return append(out, written[end:]...), nil
}

// appendPaths writes a value that is a path, or a list of them however deep. A value of any other
// kind refuses the call: a program could read a path out of it that nobody fenced.
func appendPaths(out []byte, property string, value []byte, each func(string) string) ([]byte, error) {
	switch value[0] {
	case 'n':
		return append(out, value...), nil
	case '"':
		text, err := schema.Read(value)
		if err != nil {
			return nil, unread(err)
		}
		path, _ := text.(string)
		if out, err = schema.AppendExact(out, each(path)); err != nil {
			return nil, noPath(property, "leads to a name that is not text")
		}
		return out, nil
	case '[':
		elements, err := schema.Elements(value)
		if err != nil {
			return nil, unread(err)
		}
		out = append(out, '[')
		for i, e := range elements {
			if i > 0 {
				out = append(out, ',')
			}
			if out, err = appendPaths(out, property, e, each); err != nil {
				return nil, err
			}
		}
		return append(out, ']'), nil
	}
	return nil, noPath(property, "is not a path")
}

func noPath(property, words string) error {
	return tool.Errorf(tool.CodeArgumentsInvalid, "an argument is no path").
		WithText("The parameter " + strconv.Quote(legible(property)) + " " + words + ". Send a path as text, or a list of paths.")
}

func unread(err error) error {
	return tool.Errorf(tool.CodeArgumentsInvalid, "read the arguments: %w", err)
}

// vector is the argument vector of a call, without the place of its program.
func (x *external) vector(written []byte) ([]string, error) {
	arguments, err := schema.ReadObject(written)
	if err != nil {
		return nil, unread(err)
	}
	return vector(x.entry.Set, x.tool, arguments)
}
