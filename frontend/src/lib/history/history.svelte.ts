import { sentence } from '../bridge/bridge';
import type { Event, HistoryChoices, HistoryRow } from '../bridge/dto';
import type { Live } from '../bridge/live.svelte';
import { type Filters, isFiltered, noFilters, queryOf } from './filters';
import { linesOf, takeMore, takeNews, takeRow } from './lines';

const typingMs = 200;
const newsMs = 300;
/** What happens to calls. */
const tellsOfCalls = ['tool.call.', 'approval.', 'trust.'];
/** How many calls are read before the list waits to be scrolled. */
const stretch = 100;
/** How many calls that left the newest page are read one by one. */
const maxUnsaid = 20;

/** History is the list of the calls of all sessions: what is asked for, and what was found so far. */
export class History {
  filters = $state.raw<Filters>(noFilters);
  filtered = $derived(isFiltered(this.filters));
  /** What was found for `shown`: the filters of the last answer, so that old content stays until a new one comes. */
  rows = $state.raw<HistoryRow[]>([]);
  shown = $state.raw<Filters>(noFilters);
  lines = $derived(linesOf(this.rows));
  choices = $state.raw<HistoryChoices | null>(null);
  /** Whether anything was ever answered. */
  read = $state(false);
  reading = $state(false);
  trouble = $state('');
  /** Where to go on, "" when everything was looked at, and down to when was looked. */
  next = $state('');
  reachedAt = $state('');
  /** Whether looking was stopped before its end. */
  paused = $state(false);
  /** How many calls came since the list was read, and whether there are more than that. */
  newer = $state(0);
  /** The call that the keys are on. */
  current = $state('');

  #run = 0;
  #typing: ReturnType<typeof setTimeout> | undefined;
  #news: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly live: Live) {}

  /** Reads the list, or what is new of it, when the view is opened or hints were lost. */
  follow(): void {
    if (!this.read) void this.search();
    else this.#wake();
    void this.readChoices();
  }

  /** Changes filters and reads anew; a text is waited for until it was written. */
  ask(change: Partial<Filters>): void {
    this.filters = { ...this.filters, ...change };
    clearTimeout(this.#typing);
    if (Object.keys(change).every((name) => name === 'text'))
      this.#typing = setTimeout(() => void this.search(), typingMs);
    else void this.search();
  }

  clear(): void {
    this.ask({ ...noFilters });
  }

  /** Reads from the newest call on. What was shown stays until something is found, or nothing. */
  async search(): Promise<void> {
    clearTimeout(this.#typing);
    await this.#collect('', true);
  }

  /** Reads further back. */
  async more(): Promise<void> {
    if (this.next && !this.reading) await this.#collect(this.next, false);
  }

  /** Stops looking. What was found stays; what was found for other filters does not. */
  cancel(): void {
    if (!this.reading) return;
    this.#run++;
    this.reading = false;
    this.paused = true;
    if (this.read && this.shown === this.filters) return;
    this.rows = [];
    this.#begin(this.filters);
  }

  /** Something happened: the calls that are shown may have changed, and there may be new ones. */
  hinted(events: Event[]): void {
    if (events.some(({ type }) => tellsOfCalls.some((kind) => type.startsWith(kind)))) this.#wake();
  }

  /** Moves among the calls; returns the id it came to. */
  move(by: number): string {
    const at = this.rows.findIndex((row) => row.call.id === this.current);
    const to = at < 0 ? 0 : Math.min(Math.max(at + by, 0), this.rows.length - 1);
    this.current = this.rows[to]?.call.id ?? '';
    return this.current;
  }

  rowOf(id: string): HistoryRow | undefined {
    return this.rows.find((row) => row.call.id === id);
  }

  /** Reads what can be chosen from. */
  async readChoices(): Promise<void> {
    try {
      this.choices = await this.live.bridge.historyChoices();
    } catch (cause) {
      this.trouble = sentence(cause);
    }
  }

  // One page may find little or nothing of what is rare, so pages are asked for until there is
  // a stretch of calls or nothing is left. Each of them is short, and in between it can be stopped.
  async #collect(from: string, anew: boolean) {
    const run = ++this.#run;
    const filters = this.filters;
    let cursor = from;
    let found = 0;
    this.reading = true;
    this.paused = false;
    try {
      do {
        const page = await this.live.bridge.history(queryOf(filters, this.live.now, cursor));
        if (run !== this.#run) return;
        const first = anew && found === 0;
        found += page.rows.length;
        cursor = page.next;
        this.next = cursor;
        this.reachedAt = page.reachedAt;
        this.trouble = '';
        if (first && found === 0 && cursor) continue;
        this.rows = first ? page.rows : takeMore(this.rows, page);
        if (first) this.#begin(filters);
      } while (cursor && found < stretch);
    } catch (cause) {
      if (run === this.#run) this.trouble = sentence(cause);
    } finally {
      if (run === this.#run) this.reading = false;
    }
  }

  #begin(filters: Filters) {
    this.shown = filters;
    this.read = true;
    this.newer = 0;
    if (!this.rowOf(this.current)) this.current = '';
  }

  #wake() {
    if (this.#news === undefined) this.#news = setTimeout(() => void this.#readNews(), newsMs);
  }

  async #readNews() {
    const run = this.#run;
    try {
      if (!this.read || this.reading) return;
      if (this.rows.length === 0) return await this.search();
      const page = await this.live.bridge.history(queryOf(this.shown, this.live.now));
      if (run !== this.#run) return;
      const news = takeNews(this.rows, page);
      this.rows = news.rows;
      this.newer = news.newer;
      for (const id of news.unsaid.slice(0, maxUnsaid)) {
        const row = await this.live.bridge.historyCall(id);
        this.rows = takeRow(this.rows, row);
      }
    } catch {
      // What is shown stays as it is; the next hint tries again, and a search says what is wrong.
    } finally {
      this.#news = undefined;
    }
  }
}
