import { describe, expect, it } from 'vitest';

import { between, ended, type Heights, lineHeight, moved, settled, Spacer } from './scroll';

const even = (lines: number, view = 100): Heights => ({ lines, view, of: () => lineHeight });

describe('the window onto a text', () => {
  it('moves by pixels across lines', () => {
    expect(moved({ line: 1, offset: 0 }, 50, even(100))).toEqual({ line: 3, offset: 10 });
    expect(moved({ line: 3, offset: 10 }, -25, even(100))).toEqual({ line: 2, offset: 5 });
  });

  it('never leaves the text', () => {
    expect(moved({ line: 2, offset: 5 }, -1_000, even(100))).toEqual({ line: 1, offset: 0 });
    expect(moved({ line: 90, offset: 0 }, 1_000, even(100))).toEqual({ line: 96, offset: 0 });
    expect(settled({ line: 5_000, offset: 7 }, even(100))).toEqual({ line: 96, offset: 0 });
    expect(settled({ line: -3, offset: 0 }, even(100))).toEqual({ line: 1, offset: 0 });
  });

  it('stays at the top of a text that is shorter than it', () => {
    expect(moved({ line: 1, offset: 0 }, 500, even(3))).toEqual({ line: 1, offset: 0 });
    expect(settled({ line: 3, offset: 0 }, even(3))).toEqual({ line: 1, offset: 0 });
    expect(settled({ line: 1, offset: 0 }, even(0))).toEqual({ line: 1, offset: 0 });
  });

  it('shows the end of a last line that is higher than itself', () => {
    const heights = { lines: 2, view: 100, of: (line: number) => (line === 2 ? 1_000 : lineHeight) };
    expect(moved({ line: 1, offset: 0 }, 5_000, heights)).toEqual({ line: 2, offset: 900 });
  });

  it('knows where it ends with the text', () => {
    expect(ended(even(100))).toEqual({ line: 96, offset: 0 });
    expect(ended(even(2))).toEqual({ line: 1, offset: 0 });
    expect(ended({ lines: 3, view: 100, of: (line) => (line === 3 ? 250 : 20) })).toEqual({ line: 3, offset: 150 });
    expect(ended({ lines: 3, view: 100, of: (line) => (line === 2 ? 250 : 20) })).toEqual({ line: 2, offset: 170 });
  });

  it('looks at no more lines than it passes and shows', () => {
    let asked = 0;
    const heights = { lines: 100_000_000, view: 800, of: () => (asked++, lineHeight) };
    settled({ line: 99_999_999, offset: 0 }, heights);
    moved({ line: 50_000_000, offset: 0 }, 120, heights);
    expect(asked).toBeLessThan(300);
  });

  it('knows how far lines reach', () => {
    expect(between(2, 5, (line) => line)).toBe(9);
    expect(between(5, 5, (line) => line)).toBe(0);
  });

  it('leaves the lines where they are that stay', () => {
    const of = (line: number) => (line % 2 ? 20 : 60);
    const spacer = new Spacer();
    const place = (first: number, line: number) => spacer.before(first, of) + between(first, line, of);
    const at = place(100, 120);
    expect(place(110, 120)).toBe(at);
    expect(place(95, 120)).toBe(at);
    // After a jump, and where the room is used up, it begins anew.
    expect(place(90_000, 90_000)).toBe(Spacer.start);
    let room = Spacer.start;
    for (let first = 90_000; first > 80_000; first -= 300) room = spacer.before(first, of);
    expect(room).toBeGreaterThanOrEqual(0);
  });
});
