import { sentence } from '../bridge/bridge';
import type { CallDetail, Event } from '../bridge/dto';
import type { Live } from '../bridge/live.svelte';
import { Finder } from './finder.svelte';
import { groupsOf } from './groups';
import type { Opened, Said, Tab } from './opened';
import { Progress } from './progress.svelte';
import { Queue } from './queue.svelte';
import { Story } from './story.svelte';

/** Sessions is the list of sessions, the story of the open one, and the call that is open in it. */
export class Sessions implements Opened, Said {
  groups = $derived.by(() => groupsOf(this.live.snapshot?.sessions ?? []));
  ordered = $derived(this.groups.flatMap((group) => group.sessions));
  selected = $state('');
  session = $derived(this.ordered.find((one) => one.id === this.selected) ?? null);
  story = $state.raw<Story | null>(null);
  timeline = $derived(this.story?.timeline ?? null);
  readonly finder = new Finder(this);
  readonly queue: Queue;
  readonly progress: Progress;
  /** Something that was asked for and could not be done; "" for nothing. */
  trouble = $state('');
  /** The id of the line the keys are on, and of the call that is open. */
  current = $state('');
  openId = $state('');
  tab = $state<Tab>('');
  image = $state<number | null>(null);
  detail = $state.raw<CallDetail | null>(null);
  detailTrouble = $state('');
  /** The whole text of long messages that the person wanted to read on, and how much of it is shown. */
  said = $state.raw<ReadonlyMap<string, { text: string; shown: number }>>(new Map());
  /** The call is opened by a key, so it may be brought into view. */
  reveal = $state(false);

  constructor(readonly live: Live) {
    this.queue = new Queue(live);
    this.progress = new Progress(live);
  }

  /** Follows the desk: opens the newest session when none is open, and reads what may be old. */
  follow(): void {
    this.queue.follow();
    if (!this.selected && this.ordered[0]) void this.open(this.ordered[0].id);
  }

  /** Reads everything that is shown again. */
  again(): void {
    if (!this.story) return;
    if (this.story.timeline) void this.story.follow('all').then(() => this.#readDetail());
    else void this.story.newest();
  }

  /** Takes hints in. */
  hinted(events: Event[]): void {
    this.story?.hinted(events);
  }

  async open(id: string): Promise<void> {
    if (id === this.selected) return;
    this.clear();
    this.selected = id;
    this.story = new Story(this.live, id);
    await this.story.newest();
  }

  /** Shows no session, so that a new one can be begun. */
  clear(): void {
    this.selected = '';
    this.story = null;
    this.trouble = '';
    this.current = '';
    this.said = new Map();
    this.fold();
    this.finder.close();
  }

  /** Shows a long message up to a number of characters. Rejects when it cannot be read. */
  async sayMore(id: string, upTo: number): Promise<void> {
    const session = this.selected;
    const text = this.said.get(id)?.text ?? (await this.live.bridge.message(session, id));
    if (session === this.selected) this.said = new Map([...this.said, [id, { text, shown: upTo }]]);
  }

  /** Stops the turn that runs in a session. */
  async stop(id: string): Promise<void> {
    await this.#try(() => this.live.bridge.stopTurn(id));
  }

  /** Stops the turn of the open session. What is queued there waits for the person. */
  async stopTurn(): Promise<void> {
    if (!this.session?.busy) return;
    this.queue.hold(this.session.id);
    await this.stop(this.session.id);
  }

  /** Stops one call that is under way. */
  async stopCall(id: string): Promise<void> {
    await this.#try(() => this.live.bridge.stopCall(id));
  }

  /** Opens a call in place, or closes it when it is the open one. */
  async toggle(id: string, { reveal = false, tab = '' as Tab } = {}): Promise<void> {
    if (this.openId === id && (!tab || tab === this.tab)) return this.fold();
    this.tab = tab;
    this.reveal = reveal;
    this.current = id;
    if (this.openId === id) return;
    this.openId = id;
    this.image = null;
    this.detail = null;
    this.detailTrouble = '';
    await this.#readDetail();
  }

  fold(): void {
    this.openId = '';
    this.image = null;
    this.detail = null;
    this.detailTrouble = '';
  }

  /** Moves among the lines of calls; returns the id it came to. */
  move(by: number): string {
    const calls = (this.timeline?.items ?? []).filter((item) => item.call);
    if (!calls.length) return '';
    const at = calls.findIndex((item) => item.id === this.current);
    const to = at < 0 ? calls.length - 1 : Math.min(Math.max(at + by, 0), calls.length - 1);
    this.current = calls[to]?.id ?? '';
    return this.current;
  }

  /** Reads the open call again when the news is about it; call it in an effect on the story's changes. */
  news(changed: ReadonlySet<string>): void {
    if (this.openId && changed.has(this.openId)) void this.#readDetail();
  }

  async #try(act: () => Promise<void>): Promise<void> {
    this.trouble = '';
    try {
      await act();
    } catch (cause) {
      this.trouble = sentence(cause);
    }
  }

  async #readDetail(): Promise<void> {
    const id = this.openId;
    if (!id) return;
    try {
      const detail = await this.live.bridge.call(id);
      if (id === this.openId) this.detail = detail;
    } catch (cause) {
      if (id === this.openId) this.detailTrouble = sentence(cause);
    }
  }
}
