import { sentence } from '../bridge/bridge';
import type { FindMatch } from '../bridge/dto';
import type { Sessions } from './sessions.svelte';

const pauseMs = 200;

/** Finder looks for words in the open session, also in lines that are not read, and goes from one to the next. */
export class Finder {
  open = $state(false);
  words = $state('');
  matches = $state.raw<FindMatch[]>([]);
  total = $state(0);
  /** What was looked through, in words. */
  searched = $state('');
  /** Which match is shown, -1 for none. */
  at = $state(-1);
  reading = $state(false);
  trouble = $state('');
  /** The matches belong to the words that are in the field. */
  settled = $state(true);

  #timer: ReturnType<typeof setTimeout> | undefined;
  #readings = 0;

  constructor(private readonly sessions: Sessions) {}

  show(): void {
    this.open = true;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#readings++;
    this.open = false;
    this.words = '';
    this.#forget();
  }

  /** Takes what is in the field; looks once nothing was typed for a moment. */
  type(words: string): void {
    this.words = words;
    clearTimeout(this.#timer);
    this.#readings++;
    if (words.trim() === '') return this.#forget();
    this.settled = false;
    this.#timer = setTimeout(() => void this.#look(), pauseMs);
  }

  /** Goes to the next older match, or with -1 to the next newer one. */
  async step(by: number): Promise<void> {
    if (!this.settled) {
      clearTimeout(this.#timer);
      await this.#look();
      return;
    }
    if (this.matches.length) await this.#go((this.at + by + this.matches.length) % this.matches.length);
  }

  async #look(): Promise<void> {
    const reading = ++this.#readings;
    this.reading = true;
    try {
      const { selected } = this.sessions;
      const found = await this.sessions.live.bridge.sessionFind({ sessionId: selected, words: this.words.trim() });
      if (reading !== this.#readings) return;
      this.matches = found.matches;
      this.total = found.total;
      this.searched = found.searched;
      this.at = -1;
      this.trouble = '';
      this.settled = true;
      if (found.matches.length) await this.#go(0);
    } catch (cause) {
      if (reading === this.#readings) this.trouble = sentence(cause);
    } finally {
      if (reading === this.#readings) this.reading = false;
    }
  }

  async #go(to: number): Promise<void> {
    const match = this.matches[to];
    if (!match) return;
    this.at = to;
    const { story } = this.sessions;
    if (!story?.timeline?.items.some((item) => item.id === match.id)) await story?.around(match.cursor);
    this.sessions.current = match.id;
  }

  #forget(): void {
    this.matches = [];
    this.total = 0;
    this.searched = '';
    this.at = -1;
    this.reading = false;
    this.trouble = '';
    this.settled = true;
  }
}
