package bound

import (
	"strconv"
	"strings"
)

// Count writes n with commas between thousands: 1,842.
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// Plural writes n with a noun, which gets an s unless n is one: "1 line", "1,842
// lines".
func Plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Count(n) + " " + noun + "s"
}

// Size writes a number of bytes for people, in units of 1,024: "312 bytes",
// "1.5 KB", "58 KB", "12.4 MB". Below ten of a unit, and for megabytes and more,
// it gives one decimal, unless that is zero.
func Size(bytes int64) string {
	if bytes < 1<<10 {
		return Plural(bytes, "byte")
	}
	value, unit := float64(bytes)/(1<<10), 0
	for value >= 1<<10 && unit < len(units)-1 {
		value, unit = value/(1<<10), unit+1
	}
	decimals := 1
	if unit == 0 && value >= 10 {
		decimals = 0
	}
	s := strconv.FormatFloat(value, 'f', decimals, 64)
	return strings.TrimSuffix(s, ".0") + " " + units[unit]
}

// Excess writes a size that is over a limit, and the limit: "19.1 MB, limit 10 MB". Where
// the two would read alike it counts bytes.
func Excess(bytes, limit int64) string {
	size, most := Size(bytes), Size(limit)
	if size == most {
		size, most = Plural(bytes, "byte"), Plural(limit, "byte")
	}
	return size + ", limit " + most
}

var units = [...]string{"KB", "MB", "GB", "TB", "PB", "EB"}
