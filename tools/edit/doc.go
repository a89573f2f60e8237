// Package edit is the tool edit: it replaces a quoted text in a file by another.
//
// A model quotes from memory, so the quote is looked for in nine ways, from the exact
// text to the most tolerant, and the first way that finds any place decides. Each way
// is a small function in a file of its own that returns places; the loop over them
// owns what must hold for all: a place must be the only one, a fuzzy one must not be
// out of proportion to the quote, and new lines get the indentation of the file. A way
// that finds two places ends the search: nobody picks the first.
//
// The file is matched without its byte order mark and with \n for each line break, but
// it is never rewritten: the bytes around the place are copied, so that mixed line ends,
// a stray byte of another encoding or a missing last line break stay as they were. White
// space around the quote belongs to the file unless the quote itself has it there. A
// file that is not UTF-8 is edited on its bytes when both strings are ASCII; one that is
// binary is refused.
//
// New lines get the indentation of the file where the place was found line by line: a
// line that was quoted too gets that of its own line, another one that of its depth where
// the file has the first line at another depth than the quote, and stays as it is written
// where both have it at the same. So a block that was quoted at the wrong depth comes out
// right, and a line that nobody changed stays as it was.
//
// The best block is the exact optimum over all blocks between the first and the last
// quoted line, with any lines left out or put in between. Trying every block with every
// pair of lines would be right and far too slow; here every block has a bound that is
// cheap, the bounds are made exact only where they could still win, and what cannot win
// is never looked at. The price is code in four files (block, pairs, pairing, distance) instead
// of one loop. A search that would take too much work finds nothing, which is safe.
//
// What a person is shown is made by the same code as what is written, and carries the
// hash of the file it was made from; a run that finds another file ends as stale.
// A person may keep some of the changes that were shown: the whole result is computed as
// ever, and only the runs of lines that were kept are taken from it.
package edit
