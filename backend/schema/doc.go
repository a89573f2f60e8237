// Package schema reads JSON strictly, writes it canonically and validates it.
//
// One reader serves every door, so that no door accepts what another refuses:
// duplicate keys, bytes that are not UTF-8, lone surrogates, NUL in a key, deep nesting
// and exponents that a validator would multiply out are faults. A fault names
// the field and the problem, never a value. Numbers keep their text, since
// 12345678901234567890 and 1.50 must arrive as they were sent.
package schema
