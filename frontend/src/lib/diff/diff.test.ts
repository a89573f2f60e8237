import { beforeAll, describe, expect, it } from 'vitest';

import { FileView, sides } from './diff.svelte';
import { type Gap, gapsOf, hiddenIn, widen } from './gaps';
import { colourText } from './highlight';
import { languageOf } from './languages';
import { type Coloured, paint } from './paint';
import { parseUnified } from './parse';
import { lineRows, type Row } from './rows';
import { changedWords, loadWords, pairLines, Words } from './words';

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

/** The colours of a whole text. */
async function colours(content: string, language: string): Promise<Coloured[][]> {
  const all: Coloured[][] = [];
  for await (const { first, lines } of colourText(content, language)) {
    expect(first).toBe(all.length);
    all.push(...lines);
  }
  return all;
}

describe('a unified diff', () => {
  it('knows how wide its numbers are', () => {
    const at = (line: number) =>
      new FileView('x.go', `@@ -${line},2 +${line},3 @@\n one\n+more\n two\n`, false, false).digits;
    expect([at(1), at(7), at(8), at(99_997), at(99_998)]).toEqual([1, 1, 2, 5, 6]);
    expect(new FileView('x.go', '', false, false).digits).toBe(1);
  });

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
    expect(() => new FileView('a.go', odd, false, true).blocks('split', true)).not.toThrow();
  });

  it('has its sides put together again', () => {
    const { before, after } = sides(parseUnified(text)[0]!);
    expect(before.map((line) => line.text)).toEqual(['one', 'two', 'four']);
    expect(after.map((line) => line.text)).toEqual(['one', 'two and a half', 'three', 'four']);
  });
});

describe('rows', () => {
  const told = (rows: Row[]) =>
    rows.map((row) => {
      if (row.kind === 'pair') return [row.left?.text ?? null, row.right?.text ?? null];
      return row.kind === 'line' ? row.piece.text : row.kind;
    });
  const rowsOf = (view: FileView, layout: 'unified' | 'split', context = false) =>
    told(view.blocks(layout, context).flatMap((block) => block.rows));

  it('stand one below the other, or beside each other', () => {
    const view = new FileView('x.go', text, false, false);
    expect(rowsOf(view, 'unified')).toEqual([
      ...['hunk', 'one', 'two', 'two and a half', 'three', 'four', 'hunk', 'old', 'new'],
    ]);
    expect(rowsOf(view, 'split')).toEqual([
      ...['hunk', ['one', 'one'], ['two', 'two and a half'], [null, 'three'], ['four', 'four'], 'hunk'],
      ['old', 'new'],
    ]);
  });

  it('beside each other keep every piece of a very long line', () => {
    const lines = parseUnified(`@@ -1,2 +1,1 @@\n-${'x'.repeat(5_000)}\n-gone\n+${'y'.repeat(2_001)}\n`)[0]!.lines;
    const rows = lineRows(lines, 'split');
    const side = (name: 'left' | 'right') =>
      rows.map((row) => (row.kind === 'pair' ? (row[name]?.text ?? '') : '')).join('');
    expect(side('left')).toBe(`${'x'.repeat(5_000)}gone`);
    expect(side('right')).toBe('y'.repeat(2_001));
  });

  it('of a long hunk are folded only where that is allowed, and can be unfolded', () => {
    const long = `@@ -0,0 +1,500 @@\n${'+line\n'.repeat(500)}`;
    expect(rowsOf(new FileView('x', long, true, false), 'unified')).toHaveLength(501);
    const view = new FileView('x', long, true, true);
    expect(rowsOf(view, 'unified')).toEqual(['hunk', 'fold']);
    view.folded.delete(0);
    expect(rowsOf(view, 'unified')).toHaveLength(501);
  });

  it('are the same ones as long as their lines are', async () => {
    const view = new FileView('x.txt', text, false, false);
    const before = view.blocks('unified', true).flatMap((block) => block.rows);
    await view.widen(1, 'before', async () => ({ lines: [{ text: 'nine', left: 0 }], more: true, missing: '' }));
    const after = view.blocks('unified', true).flatMap((block) => block.rows);
    expect(told(after)).toEqual([
      ...['hunk', 'one', 'two', 'two and a half', 'three', 'four', 'hunk', 'nine', 'old', 'new'],
    ]);
    expect(after[1]).toBe(before[1]);
    expect(after.at(-1)).toBe(before.at(-1));
  });
});

describe('what a diff leaves out', () => {
  /** A file of n lines, of which some were replaced one by one, as a diff without context. */
  const file = (n: number) => Array.from({ length: n }, (_, i) => `line ${i + 1}`);
  const diffOf = (changed: number[]) =>
    changed.map((at) => `@@ -${at} +${at},2 @@\n-line ${at}\n+new ${at}\n+more ${at}\n`).join('');
  const asked: [number, number, number][] = [];
  const read = (lines: string[]) => async (old: number, now: number, count: number) => {
    asked.push([old, now, count]);
    const taken = lines.slice(old - 1, old - 1 + count);
    return { lines: taken.map((one) => ({ text: one, left: 0 })), more: old - 1 + count < lines.length, missing: '' };
  };

  it('lies before each hunk and behind the last', () => {
    const gaps = gapsOf(parseUnified(`@@ -5,2 +5,3 @@\n a\n+b\n c\n@@ -30,0 +32 @@\n+d\n`), false);
    expect(gaps.map((gap) => [gap.old, gap.now, gap.count])).toEqual([
      [1, 1, 4],
      [7, 8, 24],
      [31, 33, Infinity],
    ]);
    expect(gapsOf(parseUnified('@@ -0,0 +1,2 @@\n+a\n+b\n'), true).map((gap) => gap.count)).toEqual([0, 0]);
    expect(gapsOf(parseUnified(text), false).at(-1)?.count).toBe(0);
  });

  it('is shown from either side, with its numbers, until nothing is left', async () => {
    const lines = file(100);
    const hunks = parseUnified(diffOf([1, 60]));
    let gap: Gap = gapsOf(hunks, false)[1]!;
    expect([gap.old, gap.now, gap.count]).toEqual([2, 3, 58]);
    asked.length = 0;
    gap = await widen(gap, 'before', read(lines));
    gap = await widen(gap, 'after', read(lines));
    gap = await widen(gap, 'after', read(lines));
    expect(asked).toEqual([
      [40, 41, 20],
      [2, 3, 20],
      [22, 23, 18],
    ]);
    expect(hiddenIn(gap)).toBe(0);
    const shown = [...gap.after, ...gap.before];
    expect(shown.map((line) => line.text)).toEqual(lines.slice(1, 59));
    expect(shown.map((line) => line.newNumber - line.oldNumber)).toEqual(Array(58).fill(1));
  });

  it('behind the last hunk ends with the file', async () => {
    let gap = gapsOf(parseUnified(diffOf([70])), false)[1]!;
    for (let i = 0; i < 2; i++) gap = await widen(gap, 'after', read(file(100)));
    expect(gap.after.map((line) => line.text)).toEqual(file(100).slice(70));
    expect(hiddenIn(gap)).toBe(0);
  });

  it('says in words when it is not there any more, and is not asked for again', async () => {
    const view = new FileView('a.txt', diffOf([50]), false, false);
    let times = 0;
    const gone = async () => {
      times++;
      return { lines: [], more: false, missing: 'The file changed.' };
    };
    await view.widen(0, 'before', gone);
    await view.widen(0, 'before', gone);
    expect([view.gaps[0]?.missing, times]).toEqual(['The file changed.', 1]);
    await view.widen(1, 'after', () => Promise.reject(new Error('secret')));
    expect(view.gaps[1]?.missing).toBe('The desk could not do this, and gave no reason.');
  });

  it('tells how much of a very long line is left', async () => {
    const gap = gapsOf(parseUnified(diffOf([50])), false)[0]!;
    const wider = await widen(gap, 'before', async () => ({
      lines: [{ text: 'x', left: 9 }],
      more: true,
      missing: '',
    }));
    expect(wider.before[0]?.rest).toBe('… 9 more characters');
  });
});

describe('the words that changed', () => {
  beforeAll(loadWords);

  const marked = (before: string, after: string) => {
    const lines = parseUnified(`@@ -1 +1 @@\n-${before}\n+${after}\n`)[0]!.lines;
    const words = new Words(pairLines(lines));
    return lines.map((line) => words.of(line).map((mark) => line.text.slice(mark.from, mark.to)));
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
    expect(changedWords(`a ${'b '.repeat(600)}`, `a ${'b '.repeat(601)}`)).toEqual([[], []]);
  });

  it('are looked for in lines that belong together only', () => {
    const lines = parseUnified('@@ -1,3 +1,3 @@\n-a one\n-b\n+a two\n c\n+d\n')[0]!.lines;
    const pairs = pairLines(lines);
    expect([...pairs].map(([one, other]) => [one.text, other.text])).toEqual([
      ['a one', 'a two'],
      ['a two', 'a one'],
    ]);
    expect(new Words(pairs).of(lines[1]!)).toEqual([]);
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
    const [line] = await colours('func main() { return "<b>" } // done', 'go');
    const at = (hue: string) => line?.filter((range) => range.hue === hue).map(({ from, to }) => [from, to]);
    expect(at('k')).toContainEqual([0, 4]);
    expect(at('s')?.length).toBeGreaterThan(0);
    expect(at('c')?.length).toBeGreaterThan(0);
  }, 20_000);

  it('goes on from stretch to stretch as if there were one', async () => {
    const lines = [
      'package a',
      '/*',
      ...Array.from({ length: 900 }, (_, i) => `still a comment ${i}`),
      '*/',
      'func f() {}',
    ];
    const found = await colours(lines.join('\n'), 'go');
    expect(found).toHaveLength(lines.length);
    expect(found[899]?.map((range) => range.hue)).toEqual(['c']);
    expect(found.at(-1)?.some((range) => range.hue === 'k')).toBe(true);
  }, 20_000);

  it('leaves a very long text in one colour, and refuses a language that there is not', async () => {
    expect(await colours('x'.repeat(4_000_001), 'go')).toEqual([]);
    await expect(colours('x', 'klingon')).rejects.toThrow('no such grammar');
  });

  it('finds a grammar by name', () => {
    expect(['a/b.go', 'Makefile', 'x.TSX', 'noending', 'a.unknown', 'go'].map(languageOf)).toEqual([
      ...['go', 'make', 'tsx', '', '', ''],
    ]);
  });
});
