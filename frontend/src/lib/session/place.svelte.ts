import { tick } from 'svelte';
import type { VListHandle } from 'virtua/svelte';

import { Following } from '../follow/following.svelte';
import type { Story } from './story.svelte';
import { maxLines } from './timeline';

/** What is asked of the list that is drawn, and told to it. */
export type List = Pick<VListHandle, 'getItemSize' | 'getViewportSize' | 'getScrollSize' | 'scrollToIndex'>;

/** How long after lines came or the list went somewhere by itself a scroll is not a person's. */
const ownMs = 400;
/** How near to the end of what is held more is read. */
const edgePx = 600;
/** How near to the end of the session counts as at it. */
const endPx = 40;

/**
 * Place is where in a timeline its list is scrolled to. It follows the end as lines come, until a
 * person goes elsewhere; reads on at both ends and lets go of what is far away; and moves nothing
 * under the pointer. Times are in milliseconds, heights in pixels.
 */
export class Place {
  list = $state.raw<List>();
  /** Lines come or go before those in view, which the list must keep where they are. */
  shift = $state(false);
  /** Whether the end is in view, or was when the pointer came: lines that come are followed. */
  readonly #following: Following;
  items = $derived.by(() => this.story.timeline?.items ?? []);
  #indexes = $derived.by(() => new Map(this.items.map((item, index) => [item.id, index])));
  /** How many lines came that were not scrolled to. */
  #unseen = $state(0);
  waiting = $derived.by(() => this.#unseen + this.story.past);

  #over = false;
  #moving = false;
  #end = '';
  #count = 0;

  constructor(
    private readonly story: Story,
    now?: () => number,
  ) {
    this.#following = new Following(endPx, ownMs, now);
  }

  get following(): boolean {
    return this.#following.on;
  }

  set following(on: boolean) {
    this.#following.on = on;
  }

  /** The person did something that scrolls. */
  touch(): void {
    this.#following.touch();
  }

  /** The person goes up. */
  up(): void {
    this.#following.up();
  }

  /** The pointer is over the lines. */
  enter(): void {
    this.#over = true;
  }

  leave(): void {
    this.#over = false;
    if (this.following && this.#unseen) void this.#toEnd();
  }

  /** Takes in that the lines changed: a timeline that is read at its end stays there as it grows. */
  grew(): void {
    const end = this.items.at(-1)?.id ?? '';
    const grown = this.items.length - this.#count;
    this.#count = this.items.length;
    this.#following.moved();
    if (!this.list || end === this.#end) return;
    const first = this.#end === '';
    this.#end = end;
    if (!this.story.atEnd && !first) return;
    if (first || (this.following && !this.#over)) void this.#toEnd();
    else if (grown > 0 && grown < 100) this.#unseen += grown;
  }

  /** Takes in where the list was scrolled to. */
  scrolled(offset: number): void {
    if (!this.list) return;
    const below = this.list.getScrollSize() - offset - this.list.getViewportSize();
    // Lines that come and go move the list as well; only a person who scrolls leaves the end.
    this.#following.scrolled(below, this.story.atEnd);
    if (this.following && below < endPx) this.#unseen = 0;
    // Whoever follows the end is not on the way up: what is let go there is not read again.
    if (offset < edgePx && this.story.timeline?.before && !this.following) void this.#older();
    else if (below < edgePx && this.story.timeline?.after) void this.#newer();
  }

  /** Goes to the end of the session, reading it if it is not held. */
  async showEnd(): Promise<void> {
    if (!this.story.atEnd) await this.story.newest();
    await this.#toEnd();
  }

  /** Goes to the beginning of the session. */
  async showStart(): Promise<void> {
    if (this.story.timeline?.before) await this.story.oldest();
    this.following = false;
    await tick();
    this.list?.scrollToIndex(0, { align: 'start' });
  }

  /** Brings a line that the keys are on into view. */
  show(id: string): void {
    const at = this.indexOf(id);
    if (at < 0) return;
    this.following = this.story.atEnd && at >= this.items.length - 2;
    this.list?.scrollToIndex(at, { align: 'nearest' });
  }

  /** Brings a line with words that were looked for into the middle. */
  async find(id: string): Promise<void> {
    const at = this.indexOf(id);
    if (at < 0) return;
    this.following = false;
    await tick();
    this.list?.scrollToIndex(at, { align: 'center' });
  }

  /** Brings a line that was opened into view whole, or from its beginning where it is taller than the view. */
  reveal(id: string): void {
    const at = this.indexOf(id);
    if (!this.list || at < 0) return;
    const tall = this.list.getItemSize(at) > this.list.getViewportSize();
    this.list.scrollToIndex(at, { align: tall ? 'start' : 'nearest' });
  }

  /** Where a line stands among those that are held; -1 for one that is not. */
  indexOf(id: string): number {
    return this.#indexes.get(id) ?? -1;
  }

  async #toEnd(): Promise<void> {
    this.#following.start();
    this.#unseen = 0;
    await tick();
    // What is let go moves the list once more, so that the end is gone to after it.
    if (this.items.length >= maxLines + 100) await this.#move(() => this.#trim('start'));
    if (this.following) this.list?.scrollToIndex(this.items.length - 1, { align: 'end' });
  }

  #older(): Promise<void> {
    return this.#move(async () => {
      await this.#keeping(() => this.story.older());
      await this.#trim('end');
    });
  }

  #newer(): Promise<void> {
    return this.#move(async () => {
      if (!(await this.story.newer())) return;
      await tick();
      await this.#trim('start');
    });
  }

  /** Changes which lines are held, one change at a time. */
  async #move(change: () => Promise<void>): Promise<void> {
    if (this.#moving) return;
    this.#moving = true;
    try {
      await change();
    } finally {
      this.#moving = false;
      this.#following.moved();
    }
  }

  /** Lines that come or go before those in view must not move them. */
  async #keeping(change: () => unknown): Promise<void> {
    this.shift = true;
    await tick();
    await change();
    await tick();
    this.shift = false;
  }

  async #trim(side: 'start' | 'end'): Promise<void> {
    if (side === 'start') await this.#keeping(() => this.story.trim('start'));
    else this.story.trim('end');
    await tick();
  }
}
