import { sentence } from '../bridge/bridge';
import type { Bridge } from '../bridge/bridge';
import type { OutputRef } from '../bridge/dto';

const typingMs = 200;
/** How many matches can be gone to. Beyond that they are counted. */
export const maxMatches = 100_000;

/** Finder looks for words in an output of any size, part by part, and goes from match to match. */
export class OutputFinder {
  words = $state('');
  exact = $state(false);
  /** The line of each match, in order. */
  matches = $state.raw<number[]>([]);
  /** How many matches there are, also those out of reach. */
  total = $state(0);
  /** Which match is shown, -1 for none. */
  at = $state(-1);
  /** How many bytes were looked through. */
  scanned = $state(0);
  reading = $state(false);
  trouble = $state('');
  /** What was looked for: old matches stay marked until new words were looked for. */
  sought = $state('');
  /** Which match of its line the shown one is. */
  nth = $derived.by(() => {
    const line = this.matches[this.at];
    let nth = 0;
    while (this.at - nth - 1 >= 0 && this.matches[this.at - nth - 1] === line) nth++;
    return nth;
  });

  #place = '';
  #run = 0;
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly bridge: Bridge,
    private readonly ref: OutputRef,
    /** Where the window is, and how it is brought to a line. */
    private readonly window: { line(): number; reveal(line: number): void },
  ) {}

  /** Takes what is in the field; looks once nothing was typed for a moment. */
  type(words: string): void {
    this.words = words;
    this.#stop();
    if (words === '') return this.clear();
    this.#typing = setTimeout(() => void this.look(), typingMs);
  }

  setExact(exact: boolean): void {
    this.exact = exact;
    if (this.words) void this.look();
  }

  /** Ends the search. */
  clear(): void {
    this.#stop();
    this.words = this.sought = this.trouble = '';
    this.#forget();
  }

  /** Looks from the beginning on, and goes to the first match from the window on. */
  async look(): Promise<void> {
    this.#stop();
    this.#forget();
    this.sought = this.words;
    await this.#go();
  }

  /** The text has grown: what came is looked through as well. */
  grew(): void {
    if (this.sought && !this.reading && this.#place) void this.#go();
  }

  /** Goes to the next match, or with -1 to the one before. Words that were just typed are looked for first. */
  step(by: number): void {
    if (this.words !== this.sought) return void this.look();
    if (this.matches.length) this.#show((this.at + by + this.matches.length) % this.matches.length);
  }

  // Each part is bounded, so that a search of a gigabyte can be stopped at any time.
  async #go() {
    const run = ++this.#run;
    this.reading = true;
    try {
      for (let done = false; !done;) {
        const { sessionId, name } = this.ref;
        const request = { sessionId, name, words: this.sought, exact: this.exact, place: this.#place };
        const found = await this.bridge.outputFind(request);
        if (run !== this.#run) return;
        this.#place = found.place;
        this.scanned = found.scanned;
        this.total += found.lines.length;
        if (found.lines.length && this.matches.length < maxMatches)
          this.matches = this.matches.concat(found.lines).slice(0, maxMatches);
        done = found.done;
        if (this.at < 0) this.#first(done);
      }
    } catch (cause) {
      if (run === this.#run) this.trouble = sentence(cause);
    } finally {
      if (run === this.#run) this.reading = false;
    }
  }

  #first(done: boolean) {
    const from = this.window.line();
    const at = this.matches.findIndex((line) => line >= from);
    if (at >= 0) this.#show(at);
    else if (done && this.matches.length) this.#show(0);
  }

  #show(at: number) {
    this.at = at;
    const line = this.matches[at];
    if (line !== undefined) this.window.reveal(line);
  }

  #stop() {
    clearTimeout(this.#typing);
    this.#run++;
    this.reading = false;
  }

  #forget() {
    this.matches = [];
    this.total = this.scanned = 0;
    this.at = -1;
    this.#place = '';
    this.trouble = '';
  }
}
