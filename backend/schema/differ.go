package schema

import (
	"reflect"
	"slices"
)

// Differing returns the names on the outermost level whose values are not the same in both, or
// that only one has: sorted, each as it may be repeated to a reader.
func Differing(a, b map[string]any) []string {
	var out []string
	for name, value := range a {
		if other, there := b[name]; !there || !reflect.DeepEqual(value, other) {
			out = append(out, safeName(name))
		}
	}
	for name := range b {
		if _, there := a[name]; !there {
			out = append(out, safeName(name))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
