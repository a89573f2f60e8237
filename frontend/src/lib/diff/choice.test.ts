import { describe, expect, it } from 'vitest';

import { diff } from '../../test/make';
import { Choice, choiceOf } from './choice.svelte';
import { FileView } from './diff.svelte';
import { parseUnified } from './parse';
import { placeOf, type Row } from './rows';
import { runsOf } from './runs';

const near =
  '@@ -1,7 +1,8 @@\n-one\n+ONE\n two\n three\n-four\n five\n+five and a half\n+more\n six\n seven\n' +
  '@@ -40,1 +41,1 @@\n-forty\n+FORTY\n';

describe('a choice of changes', () => {
  it('is offered where there is more than one, and all of them are shown', () => {
    const of = (...changes: number[]) => choiceOf(changes.map((count) => diff({ changes: count })))?.total ?? null;
    expect(of()).toBeNull();
    expect(of(0)).toBeNull();
    expect(of(1)).toBeNull();
    expect(of(2)).toBe(2);
    expect(of(1, 1)).toBe(2);
    expect(of(3, 0)).toBeNull();
  });

  it('sends just what is kept, whatever that is', () => {
    for (let set = 0; set < 16; set++) {
      const choice = new Choice([3, 1]);
      const kept = (file: number, change: number) => Boolean(set & (1 << (file * 3 + change)));
      const all: [number, number][] = [
        [0, 0],
        [0, 1],
        [0, 2],
        [1, 0],
      ];
      for (const [file, change] of all) if (!kept(file, change)) choice.flip(file, change);
      const count = all.filter(([file, change]) => kept(file, change)).length;
      expect([choice.kept, choice.total, choice.partial, choice.words]).toEqual([
        count,
        4,
        count < 4,
        `${count} of 4 changes`,
      ]);
      expect(choice.refs).toEqual(
        count === 4 ? [] : [[0, 1, 2].filter((change) => kept(0, change)), kept(1, 0) ? [0] : []],
      );
    }
  });

  it('takes a change back, and none that is not there', () => {
    const choice = new Choice([2, 1]);
    choice.flip(0, 1);
    expect(choice.keeps(0, 1)).toBe(false);
    choice.flip(0, 1);
    for (const [file, change] of [
      [0, 2],
      [0, -1],
      [2, 0],
    ] as const)
      choice.flip(file, change);
    expect(choice.refs).toEqual([]);
    expect([choice.number(0, 1), choice.number(1, 0)]).toEqual([2, 3]);
  });
});

describe('the changes of a diff', () => {
  it('are runs of lines, also where they share a hunk', () => {
    expect(runsOf(parseUnified(near))).toEqual([
      { hunk: 0, from: 0, to: 2 },
      { hunk: 0, from: 4, to: 5 },
      { hunk: 0, from: 6, to: 8 },
      { hunk: 1, from: 0, to: 2 },
    ]);
    expect(runsOf(parseUnified(''))).toEqual([]);
  });

  it.each(['unified', 'split'] as const)(
    'have a head each where they are chosen one by one, %s, and lose no line',
    (layout) => {
      const view = new FileView('a.txt', near, false, false);
      const plain = view.blocks(layout, false).flatMap(({ rows }) => rows);
      const apart = view.blocks(layout, false, true).flatMap(({ rows }) => rows);
      const lines = (rows: Row[]) => rows.filter(({ kind }) => kind === 'line' || kind === 'pair');
      expect(lines(apart)).toEqual(lines(plain));
      expect(apart.map((row) => placeOf(row, true)).filter((place) => place >= 0)).toEqual([0, 1, 2, 3]);
      expect(plain.map((row) => placeOf(row, false)).filter((place) => place >= 0)).toEqual([0, 1]);
      // A head stands right before the lines of its change.
      const after = (change: number) =>
        apart[apart.findIndex((row) => row.kind === 'change' && row.change === change) + 1];
      for (const change of [1, 2]) {
        const row = after(change);
        const line =
          row?.kind === 'line' ? row.piece.line : row?.kind === 'pair' ? (row.left ?? row.right)?.line : undefined;
        expect(line && view.changeOf(line)).toBe(change);
      }
    },
  );

  it('know the lines that are theirs', () => {
    const view = new FileView('a.txt', near, false, false);
    expect(view.hunks.flatMap(({ lines }) => lines.map((line) => view.changeOf(line)))).toEqual([
      0, 0, -1, -1, 1, -1, 2, 2, -1, -1, 3, 3,
    ]);
  });
});
