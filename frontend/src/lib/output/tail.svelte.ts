import { BridgeError, sentence } from '../bridge/bridge';
import { type Line, line, lines, maxScanned } from './ansi';
import { type Pen, plainPen } from './pen';

/** A part of what a program printed, with how it stands. */
export interface TailPart {
  text: string;
  from: string;
  to: string;
  gap: boolean;
  more: boolean;
  lost: string;
  ended: boolean;
}

/** A line of the tail, or words of ours in the place of some that are not held. */
export interface TailLine {
  /** Its number among those that were ever read here. */
  n: number;
  line: Line | null;
  words: string;
}

/** How many lines are held; what is older is in the full output. */
export const maxHeld = 10_000;
const passedWords = 'More was printed than is shown here. All of it is in the full output.';
const earlierWords = 'What was printed before this is in the full output.';

/** How long is waited after a reading that brought nothing new to read, and after one that failed. */
export const pauseMs = 500;
const troubleMs = 2_000;

/** Tail is what a program printed last, and goes on with it while it runs. */
export class Tail {
  lines = $state.raw<TailLine[]>([]);
  trouble = $state('');
  /** What could not be kept, in words; "" for nothing. */
  lost = $state('');
  /** Whether the first part was read, and whether nothing comes after what was. */
  read = $state(false);
  ended = $state(false);
  /** The person reads further up: nothing is let go above what they read, within bounds. */
  held = false;

  #to = '';
  #n = 0;
  /** The last line, which has no end yet, and the pen that it begins with. */
  #rest = '';
  #pen: Pen = plainPen;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading = false;
  #stopped = true;

  /** `part` reads the part from a place on, the newest one for "". */
  constructor(private readonly part: (from: string) => Promise<TailPart>) {}

  /** Follows the program; returns the function that ends it. */
  follow(): () => void {
    this.#stopped = false;
    void this.again();
    return () => {
      this.#stopped = true;
      clearTimeout(this.#timer);
    };
  }

  /** Reads what there is beyond what is held. */
  async again(): Promise<void> {
    if (this.#reading || this.#stopped) return;
    clearTimeout(this.#timer);
    this.#reading = true;
    let failed = false;
    try {
      // Each part waits for the frame that draws the one before it.
      while (!this.#stopped && (await this.#next())) await new Promise((next) => setTimeout(next, 16));
      this.trouble = '';
    } catch (cause) {
      failed = true;
      // That there is no desk is said for the whole page.
      const away = cause instanceof BridgeError && cause.code.startsWith('link.');
      if (!away) this.trouble = sentence(cause);
    } finally {
      this.#reading = false;
    }
    if (!this.#stopped && (failed || !this.ended))
      this.#timer = setTimeout(() => void this.again(), failed ? troubleMs : pauseMs);
  }

  async #next(): Promise<boolean> {
    const part = await this.part(this.#to);
    if (this.#stopped) return false;
    this.lost = part.lost;
    if (this.read && part.gap) this.#pass(passedWords);
    else if (!this.read && (part.gap || Number(part.from) > 0)) this.#pass(earlierWords);
    this.read = true;
    this.#to = part.to;
    if (part.text) this.#take(part.text);
    this.ended = part.ended && !part.more;
    return part.more;
  }

  // What comes after a part that is missing is not the rest of the line before it.
  #pass(words: string) {
    const open = this.#rest ? 1 : 0;
    this.lines = [...this.lines, { n: this.#n + open, line: null, words }];
    this.#n += open + 1;
    this.#rest = '';
    this.#pen = plainPen;
  }

  #take(text: string) {
    const open = this.#rest !== '';
    const all = this.#rest + text;
    const end = all.lastIndexOf('\n') + 1;
    const whole = lines(all.slice(0, end), this.#pen);
    this.#pen = whole.pen;
    // A line without end is not kept without end: one that is written anew is told by its last state.
    const rest = all.slice(end);
    this.#rest = rest.length > 2 * maxScanned ? rest.slice(-maxScanned) : rest;
    const kept = open ? this.lines.slice(0, -1) : this.lines;
    const fresh = whole.lines.map((one, i): TailLine => ({ n: this.#n + i, line: one, words: '' }));
    this.#n += fresh.length;
    if (this.#rest) fresh.push({ n: this.#n, line: line(this.#rest, this.#pen), words: '' });
    this.lines = [...kept, ...fresh].slice(this.held ? -2 * maxHeld : -maxHeld);
  }
}
