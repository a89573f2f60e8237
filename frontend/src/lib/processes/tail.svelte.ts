import { sentence } from '../bridge/bridge';
import type { ProcessRef, ProcessRow, ProcessTail } from '../bridge/dto';
import type { Live } from '../bridge/live.svelte';
import { type Line, line, lines, maxScanned } from '../output/ansi';
import { type Pen, plainPen } from '../output/pen';

/** A line of the tail, or words of ours in the place of some that are not held. */
export interface TailLine {
  /** Its number among those that were ever read here. */
  n: number;
  line: Line | null;
  words: string;
}

/** How many lines are held; what is older is in the log. */
export const maxHeld = 10_000;
const passedWords = 'More was printed than is shown here. All of it is in the full log.';
const earlierWords = 'What was printed before this is in the full log.';

/** How long is waited after a reading that brought nothing new to read. */
export const pauseMs = 400;
const troubleMs = 2_000;

/** Tail is what a process printed last, and goes on with it while it runs. */
export class Tail {
  lines = $state.raw<TailLine[]>([]);
  row = $state.raw<ProcessRow | null>(null);
  trouble = $state('');
  /** What could not be kept, in words; "" for nothing. */
  lost = $state('');
  /** Whether the first part was read. */
  read = $state(false);
  /** The person reads further up: nothing is let go above what they read, within bounds. */
  held = false;

  #to = '';
  #n = 0;
  /** The last line, which has no end yet, and the pen that it begins with. */
  #rest = '';
  #pen: Pen = plainPen;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading = false;
  #stopped = false;

  constructor(
    private readonly live: Live,
    readonly ref: ProcessRef,
  ) {}

  /** Follows the process; returns the function that ends it. */
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
    let wait = pauseMs;
    try {
      // Each part waits for the frame that draws the one before it.
      while (!this.#stopped && (await this.#part())) await new Promise((next) => setTimeout(next, 16));
      this.trouble = '';
    } catch (cause) {
      if (this.live.link === 'up') this.trouble = sentence(cause);
      wait = troubleMs;
    } finally {
      this.#reading = false;
    }
    if (!this.#stopped && (this.trouble || this.row?.status === 'running'))
      this.#timer = setTimeout(() => void this.again(), wait);
  }

  async #part(): Promise<boolean> {
    const { sessionId, id } = this.ref;
    const part = await this.live.bridge.processTail({ sessionId, id, from: this.#to });
    if (this.#stopped) return false;
    this.row = part.row;
    this.lost = part.lost;
    if (this.read && part.gap) this.#pass(passedWords);
    else if (!this.read && (part.gap || Number(part.from) > 0)) this.#pass(earlierWords);
    this.read = true;
    this.#to = part.to;
    if (part.text) this.#take(part);
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

  #take({ text }: ProcessTail) {
    const open = this.#rest !== '';
    const all = this.#rest + text;
    const end = all.lastIndexOf('\n') + 1;
    const whole = lines(all.slice(0, end), this.#pen);
    this.#pen = whole.pen;
    this.#rest = all.slice(end);
    // A line without end is not kept without end: progress that is written anew is told by its last state.
    const cut = this.#rest.length > 2 * maxScanned;
    if (cut) this.#rest = this.#rest.slice(-maxScanned);
    const kept = open ? this.lines.slice(0, -1) : this.lines;
    const fresh = whole.lines.map((one, i): TailLine => ({ n: this.#n + i, line: one, words: '' }));
    this.#n += fresh.length;
    if (this.#rest) fresh.push({ n: this.#n, line: line(this.#rest, this.#pen), words: '' });
    this.lines = [...kept, ...fresh].slice(this.held ? -2 * maxHeld : -maxHeld);
  }
}
