import { sentence } from '../bridge/bridge';
import type { CallDetail, Event, HistoryRow } from '../bridge/dto';
import type { Live } from '../bridge/live.svelte';
import type { Opened, Said, Tab } from '../session/opened';
import { Story as SessionStory } from '../session/story.svelte';

/** Story is a session read from one of its calls on, forwards and backwards. */
export class Story implements Opened, Said {
  row = $state.raw<HistoryRow | null>(null);
  /** The lines around that call. */
  #lines = $state.raw<SessionStory | null>(null);
  items = $derived(this.#lines?.timeline?.items ?? []);
  title = $derived.by(() => {
    const session = this.live.snapshot?.sessions.find((one) => one.id === this.row?.sessionId);
    return session?.title ?? this.row?.title ?? '';
  });
  /** The line that the keys are on, and the call that is open. */
  current = $state('');
  openId = $state('');
  detail = $state.raw<CallDetail | null>(null);
  detailTrouble = $state('');
  tab = $state<Tab>('');
  image = $state<number | null>(null);
  said = $state.raw<ReadonlyMap<string, { text: string; shown: number }>>(new Map());

  #refused = $state('');

  constructor(readonly live: Live) {}

  get opened(): boolean {
    return this.row !== null;
  }

  /** Why the lines could not be read, or what was asked for not be done; "" for nothing. */
  get trouble(): string {
    return this.#refused || this.#lines?.trouble || '';
  }

  set trouble(words: string) {
    this.#refused = words;
  }

  /** Opens the session of a call at that call. */
  async open(row: HistoryRow): Promise<void> {
    const other = row.sessionId !== this.row?.sessionId || !this.items.some((item) => item.id === row.call.id);
    this.row = row;
    this.current = row.call.id;
    if (other) {
      this.said = new Map();
      this.#refused = '';
      this.#lines = new SessionStory(this.live, row.sessionId);
      void this.#lines.around(row.place);
    }
    await this.#openCall(row.call.id);
  }

  /** Opens a call by its id alone. */
  async show(id: string): Promise<void> {
    if (this.row?.call.id === id) return;
    try {
      await this.open(await this.live.bridge.historyCall(id));
    } catch (cause) {
      this.trouble = sentence(cause);
    }
  }

  close(): void {
    this.row = null;
    this.#lines = null;
    this.fold();
  }

  fold(): void {
    this.openId = '';
    this.image = null;
    this.tab = '';
    this.detail = null;
    this.detailTrouble = '';
  }

  async sayMore(id: string, upTo: number): Promise<void> {
    const text = this.said.get(id)?.text ?? (await this.live.bridge.message(this.row?.sessionId ?? '', id));
    this.said = new Map([...this.said, [id, { text, shown: upTo }]]);
  }

  /** Opens a call in place, or folds it. */
  async toggle(id: string): Promise<void> {
    this.current = id;
    if (this.openId === id) this.fold();
    else await this.#openCall(id);
  }

  /** Goes to the next or previous call and opens it; returns its id. */
  async step(by: number): Promise<string> {
    const calls = this.items.filter((item) => item.call);
    const at = calls.findIndex((item) => item.id === this.current);
    const to = calls[Math.min(Math.max(at + by, 0), calls.length - 1)];
    if (!to || to.id === this.current) return this.current;
    this.current = to.id;
    await this.#openCall(to.id);
    return to.id;
  }

  get hasOlder(): boolean {
    return Boolean(this.#lines?.timeline?.before);
  }

  get hasNewer(): boolean {
    return Boolean(this.#lines?.timeline?.after);
  }

  async older(): Promise<void> {
    await this.#lines?.older();
  }

  async newer(): Promise<void> {
    await this.#lines?.newer();
  }

  /** Takes hints in. */
  hinted(events: Event[]): void {
    this.#lines?.hinted(events);
  }

  /** The lines that changed with the last news. */
  get changed(): ReadonlySet<string> | undefined {
    return this.#lines?.changed;
  }

  /** Reads the open call again when the news is about it; call it in an effect on what changed. */
  news(changed: ReadonlySet<string> | undefined): void {
    if (this.openId && changed?.has(this.openId)) void this.#openCall(this.openId);
  }

  async #openCall(id: string) {
    if (this.openId !== id) {
      this.openId = id;
      this.tab = '';
      this.image = null;
      this.detail = null;
      this.detailTrouble = '';
    }
    try {
      const detail = await this.live.bridge.call(id);
      if (id === this.openId) this.detail = detail;
    } catch (cause) {
      if (id === this.openId) this.detailTrouble = sentence(cause);
    }
  }
}
