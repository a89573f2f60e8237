import { beforeEach, describe, expect, it } from 'vitest';

import { Slots } from './slots';

let lines: string[];
let kept: string[];
let held: boolean;
let slots: Slots;

const named = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `c${from + i}`);

/** The keys of the lines from one index up to another, as a list asks for them. */
const drawn = (from: number, to: number) =>
  lines.slice(from, to).map((id, i) => slots.keyOf(id, from + i, id.startsWith('c')));

beforeEach(() => {
  lines = named(0, 100);
  kept = [];
  held = false;
  slots = new Slots({
    indexOf: (id) => lines.indexOf(id),
    keeps: (id) => kept.includes(id),
    held: () => held,
  });
  expect(drawn(0, 4)).toEqual([0, 1, 2, 3]);
});

describe('the slots of lines that are drawn', () => {
  it('stay with their lines while these are drawn', () => {
    expect(drawn(0, 4)).toEqual([0, 1, 2, 3]);
    expect(drawn(1, 4)).toEqual([1, 2, 3]);
    expect(drawn(1, 6).slice(0, 3)).toEqual([1, 2, 3]);
  });

  it('are taken over, in order, from lines that left above', () => {
    expect(drawn(2, 6)).toEqual([2, 3, 0, 1]);
    expect(drawn(50, 54)).toEqual([2, 3, 0, 1]);
    // What was trimmed is above all that is left.
    lines = named(60, 100);
    expect(drawn(0, 4)).toEqual([2, 3, 0, 1]);
  });

  it('are new where no line left above, and never one that is drawn already', () => {
    expect(drawn(0, 6)).toEqual([0, 1, 2, 3, 4, 5]);
    drawn(10, 16);
    // The lines below may be drawn still, for all that is known.
    expect(new Set([...drawn(8, 16)]).size).toBe(8);
    for (let from = 90; from > 0; from -= 7) {
      const keys = drawn(from, from + 9);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  it('are new where a view begins just below the one before it, which looks like more of the same', () => {
    expect(drawn(4, 8)).toEqual([4, 5, 6, 7]);
    expect(drawn(8, 9)).toEqual([8]);
    expect(new Set(drawn(20, 26)).size).toBe(6);
  });

  it('are not taken from a line that is more than its text', () => {
    kept = ['c1'];
    expect(drawn(50, 54)).toEqual([0, 2, 3, 4]);
  });

  it('are of lines that are alike, among which others have keys of their own', () => {
    for (const at of [51, 53, 62]) lines[at] = `m${at}`;
    expect(drawn(50, 55)).toEqual([0, 'm51', 1, 'm53', 2]);
    expect(drawn(60, 64)).toEqual([0, 1, 'm62', 2]);
  });

  it('are the same for whoever asks twice', () => {
    for (const [id, index] of [
      ['c50', 50],
      ['c51', 51],
      ['c52', 52],
    ] as const) {
      expect(slots.keyOf(id, index)).toBe(slots.keyOf(id, index));
    }
    expect(new Set(drawn(50, 54)).size).toBe(4);
  });

  it('are not taken while a person holds something in the lines', () => {
    held = true;
    expect(drawn(50, 54)).toEqual([4, 5, 6, 7]);
    held = false;
    expect(drawn(60, 64)).toEqual([4, 5, 6, 7]);
  });
});
