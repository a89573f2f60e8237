import { describe, expect, it } from 'vitest';

import { rowsOf, sides } from './diff.svelte';
import { colourLines } from './highlight';
import { languageOf } from './languages';
import { paint } from './paint';
import { parseUnified } from './parse';
import { changedWords } from './words';

const text = `--- a/x.go
+++ b/x.go
@@ -1,3 +1,4 @@ func a
 one
-two
+two and a half
+three
 four
@@ -10 +11 @@
-old
+new
\\ No newline at end of file
`;

describe('a unified diff', () => {
  it('is read into hunks with the numbers of both sides', () => {
    const [first, second] = parseUnified(text);
    expect(first).toMatchObject({ oldStart: 1, oldCount: 3, newStart: 1, newCount: 4, section: 'func a' });
    expect(first?.lines.map((line) => [line.kind, line.oldNumber, line.newNumber, line.text])).toEqual([
      ['same', 1, 1, 'one'],
      ['del', 2, 0, 'two'],
      ['add', 0, 2, 'two and a half'],
      ['add', 0, 3, 'three'],
      ['same', 3, 4, 'four'],
    ]);
    expect(second?.lines.map((line) => [line.kind, line.text, line.noBreak])).toEqual([
      ['del', 'old', false],
      ['add', 'new', true],
    ]);
  });

  it('takes content that looks like a header for content', () => {
    const tricky = '@@ -1,2 +1,2 @@\n--- a/x\n+++ b/x\n-@@ -1 +1 @@\n+@@ -9 +9 @@\n';
    const hunks = parseUnified(tricky);
    expect(hunks).toHaveLength(1);
    expect(hunks[0]?.lines.map((line) => line.text)).toEqual(['-- a/x', '++ b/x', '@@ -1 +1 @@', '@@ -9 +9 @@']);
  });

  it('keeps an empty line of context whose space was lost', () => {
    expect(parseUnified('@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n')[0]?.lines).toHaveLength(4);
  });

  it.each(['', 'no diff at all', '@@ -1,2 +1,2 @@', '@@ nonsense @@\n+a'])('does not stumble over %j', (odd) => {
    expect(() => parseUnified(odd)).not.toThrow();
  });

  it('is laid out in rows, and its sides put together again', () => {
    const hunks = parseUnified(text);
    expect(rowsOf(hunks)).toHaveLength(9);
    const { before, after } = sides(hunks[0]!);
    expect(before.map((line) => line.text)).toEqual(['one', 'two', 'four']);
    expect(after.map((line) => line.text)).toEqual(['one', 'two and a half', 'three', 'four']);
  });
});

describe('the words that changed', () => {
  const marked = (before: string, after: string) => {
    const lines = parseUnified(`@@ -1 +1 @@\n-${before}\n+${after}\n`)[0]!.lines;
    const marks = changedWords(lines);
    return lines.map((line) => (marks.get(line) ?? []).map((mark) => line.text.slice(mark.from, mark.to)));
  };

  it('are marked on both lines', () => {
    expect(marked('return delay', 'return delay/2')).toEqual([[], ['/2']]);
    expect(marked('const limit = one', 'const limit = two')).toEqual([['one'], ['two']]);
  });

  it('are joined over a sign or a space', () => {
    expect(marked('x := os.Getenv(y)', 'x := d.token')[1]).toEqual(['d.token']);
  });

  it('are not marked in lines that have little in common, or are very long', () => {
    expect(marked('alpha beta gamma', 'one two three')).toEqual([[], []]);
    expect(marked(`a ${'b '.repeat(600)}`, `a ${'b '.repeat(601)}`)).toEqual([[], []]);
  });
});

describe('painting', () => {
  it('cuts where looks change and loses nothing', () => {
    const stretches = paint('func next', [{ from: 0, to: 4, hue: 'k' }], [{ from: 2, to: 9 }]);
    expect(stretches).toEqual([
      { marked: false, pieces: [{ text: 'fu', hue: 'k' }] },
      {
        marked: true,
        pieces: [
          { text: 'nc', hue: 'k' },
          { text: ' next', hue: '' },
        ],
      },
    ]);
    expect(paint('', [], [])).toEqual([]);
  });

  it('has colours as ranges, never as markup', async () => {
    const [line] = await colourLines('func main() { return "<b>" } // done', 'go');
    const at = (hue: string) => line?.filter((range) => range.hue === hue).map(({ from, to }) => [from, to]);
    expect(at('k')).toContainEqual([0, 4]);
    expect(at('s')?.length).toBeGreaterThan(0);
    expect(at('c')?.length).toBeGreaterThan(0);
  }, 20_000);

  it('leaves a very long text in one colour, and refuses a language that there is not', async () => {
    expect(await colourLines('x'.repeat(200_001), 'go')).toEqual([]);
    await expect(colourLines('x', 'klingon')).rejects.toThrow('no such grammar');
  });

  it('finds a grammar by name', () => {
    expect(['a/b.go', 'Makefile', 'x.TSX', 'noending', 'a.unknown', 'go'].map(languageOf)).toEqual([
      ...['go', 'make', 'tsx', '', '', ''],
    ]);
  });
});
