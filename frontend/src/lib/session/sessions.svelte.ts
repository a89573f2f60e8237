import { sentence } from '../bridge/bridge';
import type { CallDetail } from '../bridge/dto';
import type { Live } from '../bridge/live.svelte';
import { groupsOf, takeNewest, takeOlder, type Timeline } from './timeline';

/** Sessions is the list of sessions, the timeline of the open one, and the call that is open in it. */
export class Sessions {
  groups = $derived.by(() => groupsOf(this.live.snapshot?.sessions ?? []));
  ordered = $derived(this.groups.flatMap((group) => group.sessions));
  selected = $state('');
  session = $derived(this.ordered.find((one) => one.id === this.selected) ?? null);
  timeline = $state.raw<Timeline | null>(null);
  reading = $state(false);
  trouble = $state('');
  /** The id of the line the keys are on, and of the call that is open. */
  current = $state('');
  openId = $state('');
  detail = $state.raw<CallDetail | null>(null);
  detailTrouble = $state('');

  #stale = false;

  constructor(readonly live: Live) {}

  /** Follows the desk: opens the newest session when none is open, and reads on. */
  follow(): void {
    if (!this.selected && this.ordered[0]) void this.open(this.ordered[0].id);
    else if (this.selected) void this.refresh();
  }

  async open(id: string): Promise<void> {
    if (id === this.selected) return;
    this.selected = id;
    this.timeline = null;
    this.trouble = '';
    this.close();
    this.current = '';
    await this.refresh();
  }

  /** Stops the turn that runs in a session. */
  async stop(id: string): Promise<void> {
    try {
      await this.live.bridge.stopTurn(id);
    } catch (cause) {
      this.trouble = sentence(cause);
    }
  }

  /** Shows no session, so that a new one can be begun. */
  clear(): void {
    this.selected = '';
    this.timeline = null;
    this.close();
  }

  /** Reads the newest page again, one reading at a time. */
  async refresh(): Promise<void> {
    this.#stale = true;
    if (this.reading) return;
    this.reading = true;
    while (this.#stale) {
      this.#stale = false;
      const id = this.selected;
      try {
        const view = await this.live.bridge.session(id, '');
        if (id !== this.selected) this.#stale = this.selected !== '';
        else this.timeline = takeNewest(this.timeline, view);
        this.trouble = '';
      } catch (cause) {
        if (id === this.selected) this.trouble = sentence(cause);
      }
    }
    this.reading = false;
    if (this.openId) await this.#readDetail();
  }

  async older(): Promise<void> {
    const timeline = this.timeline;
    if (!timeline?.before) return;
    try {
      const view = await this.live.bridge.session(timeline.id, timeline.before);
      if (this.timeline?.id === timeline.id) this.timeline = takeOlder(this.timeline, view);
    } catch (cause) {
      this.trouble = sentence(cause);
    }
  }

  /** Opens a call in place, or closes it when it is the open one. */
  async toggle(id: string): Promise<void> {
    if (this.openId === id) return this.close();
    this.openId = id;
    this.current = id;
    this.detail = null;
    this.detailTrouble = '';
    await this.#readDetail();
  }

  close(): void {
    this.openId = '';
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

  async #readDetail(): Promise<void> {
    const id = this.openId;
    try {
      const detail = await this.live.bridge.call(id);
      if (id === this.openId) this.detail = detail;
    } catch (cause) {
      if (id === this.openId) this.detailTrouble = sentence(cause);
    }
  }
}
