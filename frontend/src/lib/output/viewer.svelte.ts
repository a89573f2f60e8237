import type { Bridge } from '../bridge/bridge';
import { BridgeError, sentence } from '../bridge/bridge';
import type { OutputLine, OutputPiece, OutputRef, OutputState, OutputView } from '../bridge/dto';
import { OutputFinder } from './finder.svelte';
import { type Part, partsOf } from './parts';
import { type Pen, plainPen } from './pen';
import { ended, lineHeight, moved, type Position, settled } from './scroll';

const countingMs = 250;
const growingMs = 1_000;
/** How many lines are asked for at once, and how many are kept. */
const stretch = 250;
const maxKept = 6_000;
/** How many lines beyond the window are read. */
const ahead = 60;
/** How many bytes of one line are drawn at most. */
export const maxDrawn = 512 << 10;

/** A line as it is drawn. */
export interface Row {
  number: number;
  parts: readonly Part[];
  /** How many bytes of it are not drawn. */
  left: number;
  /** More of it can be shown. */
  more: boolean;
}

/** A line as it was read, with the pieces of it that somebody asked for. */
interface Read {
  line: OutputLine;
  pieces: OutputPiece[];
  pen: Pen;
  /** Undefined until somebody wants to see it. */
  row: Row | undefined;
}

/** Viewer is an output that is open: a window onto a text of any size, which may grow. */
export class Viewer {
  view = $state.raw<OutputView | null>(null);
  state = $state.raw<OutputState>({ bytes: 0, lines: 0, scanned: 0 });
  trouble = $state('');
  raw = $state(false);
  wrap = $state(true);
  follow = $state(false);
  /** Where the window begins. */
  top = $state.raw<Position>({ line: 1, offset: 0 });
  /** How high the window is, in pixels. */
  height = $state(0);
  /** Lines that were chosen, by their numbers. */
  range = $state.raw<{ from: number; to: number } | null>(null);
  /** The last line that was read. */
  private lastRead = $state(0);
  lines = $derived(Math.max(this.state.lines, this.lastRead));
  /** Goes up whenever lines were read, or are drawn in another way. */
  version = $state(0);
  /** Goes up whenever the height of a line was found to be another. */
  measured = $state(0);
  counting = $derived(this.state.scanned < this.state.bytes);
  readonly finder: OutputFinder;

  /** What the window was brought to, until somebody moves it. */
  #goal: Position | { end: number } | null = null;
  #read = new Map<number, Read>();
  #heights = new Map<number, number>();
  #reading = false;
  #ended = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What was found not to be there, while nothing else is known. */
  #absent = 0;

  constructor(
    private readonly bridge: Bridge,
    readonly ref: OutputRef,
  ) {
    this.finder = new OutputFinder(bridge, ref, {
      line: () => this.top.line,
      reveal: (line) => this.reveal(line),
    });
  }

  /** Reads the text's row, and looks again and again how far it has grown, until end is called. */
  async begin(): Promise<void> {
    // The first lines come before anything is counted.
    await this.fill();
    if (!this.#ended) await this.#look();
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.finder.clear();
  }

  /** The line of a number, if it was read. */
  row(number: number): Row | undefined {
    const read = this.#read.get(number);
    if (read && !read.row) {
      // The lines before it say in which colour it begins.
      let from = number;
      while (number - from < stretch && this.#read.has(from - 1) && !this.#read.get(from - 1)?.row) from--;
      for (let n = from; n <= number; n++) this.#draw(n);
    }
    return read?.row;
  }

  heightOf = (line: number): number => this.#heights.get(line) ?? lineHeight;

  /** Whether the height of a line is known. */
  isMeasured(line: number): boolean {
    return this.#heights.has(line);
  }

  /** Takes what a line's height was found to be; true where that is not what was thought. */
  measure(line: number, height: number): boolean {
    if (height === 0) return false;
    const before = this.heightOf(line);
    this.#heights.set(line, height);
    return before !== height;
  }

  /** Lines have other heights now: the window is another, or they are drawn in another way. */
  remeasure(): void {
    this.#heights.clear();
    this.measured++;
    this.settle();
  }

  /**
   * Puts the window where it was to be, by what is known of heights now: what it was brought to is
   * found again until somebody moves.
   */
  settle(): void {
    const sizes = this.#sizes();
    const goal = this.follow ? { end: this.lines } : (this.#goal ?? this.top);
    const next = 'end' in goal ? ended({ ...sizes, lines: goal.end }) : settled(goal, sizes);
    if (next.line !== this.top.line || next.offset !== this.top.offset) this.top = next;
  }

  /** Moves the window by pixels. Whoever moves up follows no longer. */
  move(by: number): void {
    if (by < 0) this.follow = false;
    this.#goal = null;
    this.top = moved(this.top, by, this.#sizes());
    void this.fill();
  }

  /** Brings a line to the top of the window. */
  go(line: number): void {
    this.follow = false;
    this.#goal = { line: Math.round(line), offset: 0 };
    this.settle();
    void this.fill();
  }

  /** Brings a line into the window, a third down, unless it is well in view. */
  reveal(line: number): void {
    const shown = Math.floor(this.height / lineHeight);
    this.follow = false;
    if (line > this.top.line + 1 && line < this.top.line + shown - 3 && !this.wrap) return;
    this.go(line - Math.floor(shown / 3));
  }

  toEnd(): void {
    this.#goal = { end: this.lines };
    this.settle();
    void this.fill();
  }

  setFollow(follow: boolean): void {
    this.follow = follow;
    if (follow) this.toEnd();
  }

  setRaw(raw: boolean): void {
    this.raw = raw;
    for (const read of this.#read.values()) read.row = undefined;
    this.version++;
    this.remeasure();
  }

  setWrap(wrap: boolean): void {
    this.wrap = wrap;
    this.remeasure();
  }

  /** Chooses a line, or with `extend` all up to it from the one chosen before. */
  choose(line: number, extend: boolean): void {
    const from = extend ? (this.range?.from ?? line) : line;
    this.range = { from, to: line };
  }

  /** The text of the chosen lines, and whether it is all of them. */
  async chosen(): Promise<{ text: string; cut: boolean }> {
    const { from, to } = this.range ?? { from: this.top.line, to: this.top.line };
    return this.bridge.outputRange({ ...this.ref, from: Math.min(from, to), to: Math.max(from, to) });
  }

  /** Keeps the text for thirty days. Rejects when it could not be. */
  async keep(): Promise<void> {
    this.view = await this.bridge.keepOutput(this.ref);
  }

  /** Shows more of a long line. */
  async more(number: number): Promise<void> {
    const read = this.#read.get(number);
    if (!read?.row?.more) return;
    const from = read.line.shown + read.pieces.reduce((sum, piece) => sum + piece.shown, 0);
    try {
      const piece = await this.bridge.outputPiece({ ...this.ref, line: number, from });
      read.pieces.push(piece);
      if (piece.shown === 0) read.line = { ...read.line, bytes: from };
      this.#draw(number);
      this.version++;
    } catch (cause) {
      this.trouble = sentence(cause);
    }
  }

  /** Reads what is in the window and near it, and was not read. One question is under way at a time. */
  async fill(): Promise<void> {
    if (this.#reading || this.#ended || this.view?.gone) return;
    this.#reading = true;
    try {
      for (let from = this.#missing(); from > 0 && !this.#ended; from = this.#missing()) {
        const { lines, state } = await this.bridge.outputLines({ ...this.ref, from, count: stretch });
        if (lines.length === 0) this.#absent = from;
        this.#take(lines);
        this.#know(state);
        this.trouble = '';
      }
    } catch (cause) {
      // A text that is gone says so by its row.
      if (!(cause instanceof BridgeError) || cause.code !== 'gone') this.trouble = sentence(cause);
    } finally {
      this.#reading = false;
    }
  }

  // The first line that is wanted and not there, 0 for none.
  #missing(): number {
    const shown = Math.ceil(this.height / lineHeight);
    const last = Math.min(this.top.line + shown + ahead, Math.max(this.lines, 1));
    const first = Math.max(1, Math.min(this.top.line, last) - ahead);
    for (const from of [Math.min(this.top.line, last), first])
      for (let n = from; n <= last; n++) if (!this.#read.has(n)) return n === this.#absent ? 0 : n;
    return 0;
  }

  #take(lines: OutputLine[]) {
    for (const line of lines) this.#read.set(line.number, { line, pieces: [], pen: plainPen, row: undefined });
    this.lastRead = Math.max(this.lastRead, lines.at(-1)?.number ?? 0);
    if (this.#read.size > maxKept)
      for (const number of this.#read.keys())
        if (Math.abs(number - this.top.line) > maxKept / 4) {
          this.#read.delete(number);
          this.#heights.delete(number);
        }
    this.version++;
  }

  #draw(number: number) {
    const read = this.#read.get(number);
    if (!read) return;
    this.#heights.delete(number);
    let pen = this.#read.get(number - 1)?.pen ?? plainPen;
    const parts: Part[] = [];
    let shown = 0;
    for (const piece of [read.line, ...read.pieces]) {
      const drawn = partsOf(piece.text, piece.hidden, this.raw, pen);
      parts.push(...drawn.parts);
      pen = drawn.pen;
      shown += piece.shown;
    }
    read.pen = pen;
    const left = Math.max(0, read.line.bytes - shown);
    read.row = { number, parts, left, more: left > 0 && shown < maxDrawn };
  }

  // What is known of a text that has grown: its last line may have had no end.
  #know(state: OutputState) {
    const before = this.state;
    if (state.bytes !== before.bytes && before.bytes > 0) {
      const last = state.bytes < before.bytes ? 1 : this.lastRead;
      for (const number of this.#read.keys()) if (number >= last) this.#read.delete(number);
      if (state.bytes < before.bytes) this.lastRead = 0;
      this.finder.grew();
    }
    if (state.bytes !== before.bytes || state.lines !== before.lines) this.#absent = 0;
    this.state = state;
    if (this.follow) this.toEnd();
  }

  async #look() {
    try {
      if (!document.hidden || !this.view) {
        const view = await this.bridge.output(this.ref);
        if (this.#ended) return;
        const first = this.view === null;
        this.view = view;
        // What the model was not given begins with a word about that.
        if (first) this.remeasure();
        if (!view.gone) {
          const grown = view.state.bytes !== this.state.bytes || view.state.lines !== this.state.lines;
          this.#know(view.state);
          if (grown) void this.fill();
        }
      }
    } catch (cause) {
      if (!this.view) this.trouble = sentence(cause);
    } finally {
      if (!this.#ended && !this.view?.gone)
        this.#timer = setTimeout(() => void this.#look(), this.counting ? countingMs : growingMs);
    }
  }

  #sizes() {
    return { lines: this.lines, view: this.height, of: this.heightOf };
  }
}
