package edit

// maxAlign bounds the pairing of lines by content, in pairs.
const maxAlign = 1 << 20

// align returns for each line the equal old line that it stands for, -1 for a line that
// has none: a longest row of equal lines, in order. Lines are equal that what makes equal.
// Of sides that are too long for that, only what both begin and end with is paired.
func align(lines, were []string, what func(string) string) []int {
	partner := make([]int, len(lines))
	for i := range partner {
		partner[i] = -1
	}
	ids := make(map[string]int32, len(were))
	keys, olds := numbered(lines, what, ids), numbered(were, what, ids)
	var head, tail int
	for head < min(len(lines), len(were)) && keys[head] == olds[head] {
		partner[head] = head
		head++
	}
	for tail < min(len(lines), len(were))-head && keys[len(lines)-1-tail] == olds[len(were)-1-tail] {
		partner[len(lines)-1-tail] = len(were) - 1 - tail
		tail++
	}
	keys, olds = keys[head:len(keys)-tail], olds[head:len(olds)-tail]
	if len(keys)*len(olds) > maxAlign {
		return partner
	}
	longest := longestRows(keys, olds)
	for i, j := 0, 0; i < len(keys) && j < len(olds); {
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

// longestRows returns at i and j how long the longest row of equal ones is from there on.
func longestRows(keys, olds []int32) [][]int32 {
	longest := make([][]int32, len(keys)+1)
	for i := range longest {
		longest[i] = make([]int32, len(olds)+1)
	}
	for i := len(keys) - 1; i >= 0; i-- {
		here, below := longest[i], longest[i+1]
		for j := len(olds) - 1; j >= 0; j-- {
			here[j] = max(below[j], here[j+1])
			if keys[i] == olds[j] {
				here[j] = max(here[j], below[j+1]+1)
			}
		}
	}
	return longest
}

// numbered gives lines that what makes equal the same number.
func numbered(lines []string, what func(string) string, ids map[string]int32) []int32 {
	out := make([]int32, len(lines))
	for i, line := range lines {
		key := what(line)
		id, known := ids[key]
		if !known {
			id = int32(len(ids))
			ids[key] = id
		}
		out[i] = id
	}
	return out
}

func mapped(lines []string, what func(string) string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = what(line)
	}
	return out
}
