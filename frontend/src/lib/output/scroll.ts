/** Where the window onto a text begins: in this line, so many pixels below its top. */
export interface Position {
  line: number;
  offset: number;
}

/** How high a line is that was not drawn yet, and mostly is, in pixels. */
export const lineHeight = 20;

/** What a window onto a text needs to know to move. */
export interface Heights {
  /** How many lines there are. */
  lines: number;
  /** How high the window is. */
  view: number;
  of(line: number): number;
}

/**
 * Moves a window by so many pixels, and never beyond the text: its last line ends no higher
 * than the window does, if the text is long enough. The work is that of the lines passed over
 * and those in view, however many there are.
 */
export function moved(at: Position, by: number, heights: Heights): Position {
  return settled(walked(at, by, heights), heights);
}

/** The position nearest to one that shows no more than the text. */
export function settled(at: Position, heights: Heights): Position {
  const line = Math.min(Math.max(1, at.line), Math.max(1, heights.lines));
  const offset = line === at.line ? Math.max(0, at.offset) : 0;
  let below = -offset;
  for (let n = line; n <= heights.lines; n++) {
    below += heights.of(n);
    if (below >= heights.view) return { line, offset };
  }
  return walked({ line, offset }, below - heights.view, heights);
}

/** The position at which the window ends where the text does. */
export function ended(heights: Heights): Position {
  const line = Math.max(1, heights.lines);
  return settled({ line, offset: Math.max(0, heights.of(line) - heights.view) }, heights);
}

function walked({ line, offset }: Position, by: number, { lines, of }: Heights): Position {
  offset += by;
  while (offset < 0 && line > 1) offset += of(--line);
  while (line < lines && offset >= of(line)) offset -= of(line++);
  return { line, offset: Math.max(0, offset) };
}

/** How far the lines before one reach from another on, in pixels. */
export function between(from: number, to: number, of: (line: number) => number): number {
  let sum = 0;
  for (let n = from; n < to; n++) sum += of(n);
  return sum;
}

/**
 * Spacer is the empty room before the lines that are drawn. It takes up what lines leave that are
 * no longer drawn, so that those that stay keep their place, and are not painted again.
 */
export class Spacer {
  /** How much room there is at first: as much as somebody may scroll back from there. */
  static readonly start = 40_000;
  #first = 0;
  #room = Spacer.start;

  /** How high it is when lines are drawn from `first` on. */
  before(first: number, of: (line: number) => number): number {
    const by = first - this.#first;
    this.#first = first;
    if (by > 0 && by < 400) this.#room += between(first - by, first, of);
    else if (by < 0 && by > -400) this.#room -= between(first, first - by, of);
    else if (by !== 0) this.#room = Spacer.start;
    if (this.#room < 0 || this.#room > 4 * Spacer.start) this.#room = Spacer.start;
    return this.#room;
  }
}
