import { sentence } from '../bridge/bridge';
import type { Event, ProcessList, ProcessRow } from '../bridge/dto';
import type { Live } from '../bridge/live.svelte';
import { outputHint } from '../bridge/events';
import { keyOf, sharesOf } from './figures';
import { Tail, type TailPart } from '../output/tail.svelte';

/** How often the figures are measured while the view is open. */
const measureMs = 2_000;

/** Processes is what runs on by itself in all sessions, and the one that is chosen among it. */
export class Processes {
  /** Null before the first reading. */
  list = $state.raw<ProcessList | null>(null);
  /** Hundredths of a processor by process. */
  shares = $state.raw<ReadonlyMap<string, number>>(new Map());
  /** Why the last reading failed, in words; "" when it did not. */
  trouble = $state('');
  /** Why the last thing that was asked for was not done. */
  refused = $state('');
  selected = $state('');
  tail = $state.raw<Tail | null>(null);
  /** The process as its tail told it last. */
  told = $state.raw<ProcessRow | null>(null);
  /** The process that the person is asked about before it is stopped. */
  asked = $state('');
  /** Those that are being stopped. */
  stopping = $state.raw<ReadonlySet<string>>(new Set());
  /** What is being written to the chosen one. */
  draft = $state('');
  sending = $state(false);

  rows = $derived(this.list?.rows ?? []);
  /** The chosen process as it was told last, by the list or by its own tail. */
  current = $derived.by((): ProcessRow | null => {
    const listed = this.rows.find((row) => keyOf(row) === this.selected) ?? null;
    const told = this.told && keyOf(this.told) === this.selected ? this.told : null;
    return listed?.endedAt ? listed : (told ?? listed);
  });
  running = $derived(this.rows.filter((row) => row.status === 'running').length);

  #reading = 0;
  /** Whether the view is open, so that the tail is followed. */
  #open = false;
  #untail: () => void = () => {};

  constructor(readonly live: Live) {}

  /** Follows the processes while the view is open; returns the function that stops it. */
  follow(): () => void {
    const timer = setInterval(() => {
      if (this.live.link === 'up' && !document.hidden) void this.read();
    }, measureMs);
    const stop = this.live.onEvents((events) => this.hinted(events));
    this.#open = true;
    this.#show();
    return () => {
      clearInterval(timer);
      stop();
      this.#open = false;
      this.#show();
    };
  }

  hinted(events: Event[]): void {
    const about = events.filter((event) => event.type.startsWith('process'));
    // What one prints changes nothing in the list that the next measure would not show.
    if (about.some((event) => event.type !== outputHint)) void this.read();
    if (about.length) void this.tail?.again();
  }

  async read(): Promise<void> {
    const mine = ++this.#reading;
    try {
      const list = await this.live.bridge.processes();
      if (mine !== this.#reading) return;
      this.shares = sharesOf(this.list, list);
      this.list = list;
      this.trouble = '';
      const there = list.rows.some((row) => keyOf(row) === this.selected);
      if (!there) this.choose(list.rows[0] ? keyOf(list.rows[0]) : '');
      else if (!this.tail) this.#show();
    } catch (cause) {
      if (mine === this.#reading && this.live.link === 'up') this.trouble = sentence(cause);
    }
  }

  /** Reads everything that is shown again. */
  again(): void {
    void this.read();
    void this.tail?.again();
  }

  choose(key: string): void {
    if (key === this.selected) return;
    this.selected = key;
    this.asked = '';
    this.draft = '';
    this.refused = '';
    this.tail = null;
    this.#show();
  }

  /** Moves among the processes; false where there are none. */
  move(by: number): boolean {
    const at = this.rows.findIndex((row) => keyOf(row) === this.selected);
    const row = this.rows[at < 0 ? 0 : Math.min(Math.max(at + by, 0), this.rows.length - 1)];
    if (row) this.choose(keyOf(row));
    return row !== undefined;
  }

  /** Asks whether the chosen process is to be stopped; false when it cannot be. */
  ask(): boolean {
    if (!this.current?.stop || this.stopping.has(this.selected) || this.live.link !== 'up') return false;
    this.refused = '';
    this.asked = this.selected;
    return true;
  }

  /** Stops the process that was asked about. */
  async stop(): Promise<void> {
    const key = this.asked;
    const row = this.rows.find((one) => keyOf(one) === key);
    this.asked = '';
    if (!row) return;
    this.stopping = new Set([...this.stopping, key]);
    try {
      await this.live.bridge.stopProcess({ sessionId: row.sessionId, id: row.id });
    } catch (cause) {
      if (key === this.selected) this.refused = sentence(cause);
      else this.trouble = sentence(cause);
    } finally {
      this.stopping = new Set([...this.stopping].filter((one) => one !== key));
    }
    this.again();
  }

  /** Sends the line that was written. It stays when it could not be sent. */
  async send(): Promise<void> {
    const { current, draft, selected } = this;
    if (!current?.input || this.sending) return;
    this.sending = true;
    this.refused = '';
    try {
      const { sessionId, id } = current;
      await this.live.bridge.writeProcess({ sessionId, id, text: `${draft}\n` });
      if (selected === this.selected && draft === this.draft) this.draft = '';
    } catch (cause) {
      if (selected === this.selected) this.refused = sentence(cause);
    } finally {
      this.sending = false;
    }
    void this.tail?.again();
  }

  async #part({ sessionId, id }: ProcessRow, from: string): Promise<TailPart> {
    const part = await this.live.bridge.processTail({ sessionId, id, from });
    if (keyOf(part.row) === this.selected) this.told = part.row;
    return { ...part, ended: part.row.status !== 'running' };
  }

  // What the chosen process prints is read while the view is open, and goes on where it was left.
  #show() {
    this.#untail();
    this.#untail = () => {};
    if (!this.#open) return;
    const row = this.rows.find((one) => keyOf(one) === this.selected);
    if (row) this.tail ??= new Tail((from) => this.#part(row, from));
    if (this.tail) this.#untail = this.tail.follow();
  }
}
