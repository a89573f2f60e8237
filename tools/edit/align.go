package edit

// maxAlign bounds the pairing of lines by content, in pairs.
const maxAlign = 1 << 20

// align returns for each line the equal old line that it stands for, -1 for a line that
// has none: a longest row of equal lines, in order. Lines are equal that what makes equal.
func align(lines, were []string, what func(string) string) []int {
	partner := make([]int, len(lines))
	for i := range partner {
		partner[i] = -1
	}
	keys, olds := mapped(lines, what), mapped(were, what)
	same := func(i, j int) bool { return keys[i] == olds[j] }
	var head, tail int
	for head < min(len(lines), len(were)) && same(head, head) {
		partner[head] = head
		head++
	}
	for tail < min(len(lines), len(were))-head && same(len(lines)-1-tail, len(were)-1-tail) {
		partner[len(lines)-1-tail] = len(were) - 1 - tail
		tail++
	}
	n, m := len(lines)-head-tail, len(were)-head-tail
	if n*m > maxAlign {
		return partner
	}
	// longest[i][j] is for the lines from i and the old ones from j on.
	longest := make([][]int, n+1)
	for i := range longest {
		longest[i] = make([]int, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			if same(head+i, head+j) {
				longest[i][j] = max(longest[i][j], longest[i+1][j+1]+1)
			}
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case longest[i][j] == longest[i+1][j]:
			i++
		case longest[i][j] == longest[i][j+1]:
			j++
		default:
			partner[head+i] = head + j
			i, j = i+1, j+1
		}
	}
	return partner
}

func mapped(lines []string, what func(string) string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = what(line)
	}
	return out
}
