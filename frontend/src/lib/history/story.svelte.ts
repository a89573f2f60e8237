import { sentence } from '../bridge/bridge';
import type { CallDetail, Event, HistoryRow, SessionRow, TimelineItem } from '../bridge/dto';
import type { Live } from '../bridge/live.svelte';
import type { Opened, Said, Tab } from '../session/opened';

/** Story is a session read from one of its calls on, forwards and backwards. */
export class Story implements Opened, Said {
  row = $state.raw<HistoryRow | null>(null);
  session = $state.raw<SessionRow | null>(null);
  items = $state.raw<TimelineItem[]>([]);
  trouble = $state('');
  /** The line that the keys are on, and the call that is open. */
  current = $state('');
  openId = $state('');
  detail = $state.raw<CallDetail | null>(null);
  detailTrouble = $state('');
  tab = $state<Tab>('');
  said = $state.raw<ReadonlyMap<string, { text: string; shown: number }>>(new Map());

  #before = '';
  #after = '';
  #seq = '';
  #reading = false;

  constructor(readonly live: Live) {}

  get opened(): boolean {
    return this.row !== null;
  }

  /** Opens the session of a call at that call. */
  async open(row: HistoryRow): Promise<void> {
    const other = row.sessionId !== this.row?.sessionId || !this.items.some((item) => item.id === row.call.id);
    this.row = row;
    this.current = row.call.id;
    if (other) {
      this.items = [];
      this.said = new Map();
      this.session = null;
      this.trouble = '';
      void this.#readAround(row);
    }
    await this.#openCall(row.call.id);
  }

  close(): void {
    this.row = null;
    this.session = null;
    this.items = [];
    this.fold();
  }

  fold(): void {
    this.openId = '';
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
    return this.#before !== '';
  }

  get hasNewer(): boolean {
    return this.#after !== '';
  }

  async older(): Promise<void> {
    await this.#read('before', this.#before);
  }

  async newer(): Promise<void> {
    await this.#read('after', this.#after);
  }

  /** Something happened in a session: what is told of it may have changed. */
  hinted(event: Event): void {
    if (this.row && event.sessionId === this.row.sessionId) void this.#readChanges();
  }

  async #openCall(id: string) {
    if (this.openId !== id) {
      this.openId = id;
      this.tab = '';
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

  async #readAround(row: HistoryRow) {
    try {
      const view = await this.live.bridge.sessionPage({ sessionId: row.sessionId, where: 'around', cursor: row.place });
      if (this.row?.call.id !== row.call.id) return;
      this.session = view.session;
      this.items = view.items;
      this.#before = view.before;
      this.#after = view.after;
      this.#seq = view.seq;
    } catch (cause) {
      if (this.row?.call.id === row.call.id) this.trouble = sentence(cause);
    }
  }

  async #read(where: 'before' | 'after', cursor: string) {
    const row = this.row;
    if (!cursor || this.#reading || !row) return;
    this.#reading = true;
    try {
      const view = await this.live.bridge.sessionPage({ sessionId: row.sessionId, where, cursor });
      if (this.row?.sessionId !== row.sessionId) return;
      const known = new Set(this.items.map((item) => item.id));
      const fresh = view.items.filter((item) => !known.has(item.id));
      this.items = where === 'before' ? [...fresh, ...this.items] : [...this.items, ...fresh];
      if (where === 'before') this.#before = view.before;
      else this.#after = view.after;
    } catch (cause) {
      this.trouble = sentence(cause);
    } finally {
      this.#reading = false;
    }
  }

  async #readChanges() {
    const row = this.row;
    if (!row || !this.#seq || this.#reading) return;
    this.#reading = true;
    try {
      const changes = await this.live.bridge.sessionChanges({ sessionId: row.sessionId, since: this.#seq });
      if (this.row?.sessionId !== row.sessionId) return;
      this.#seq = changes.seq;
      const fresh = new Map(changes.items.map((item) => [item.id, item]));
      const known = new Set(this.items.map((item) => item.id));
      const last = Number(this.items.at(-1)?.cursor ?? 0);
      const added = changes.items.filter((item) => !known.has(item.id) && Number(item.cursor) > last);
      this.items = [...this.items.map((item) => fresh.get(item.id) ?? item), ...(this.#after ? [] : added)];
      if (this.openId && fresh.has(this.openId)) await this.#openCall(this.openId);
    } catch {
      // What is read stays; the next hint tries again.
    } finally {
      this.#reading = false;
    }
  }
}
