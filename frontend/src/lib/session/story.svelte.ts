import { sentence } from '../bridge/bridge';
import type { Event, PageRequest, SessionView } from '../bridge/dto';
import { outputHint } from '../bridge/events';
import type { Live } from '../bridge/live.svelte';
import { letGo, only, takeChanges, takeNewer, takeNewest, takeOlder, type Timeline } from './timeline';

/** What is being read, in words for the head; "" for nothing. */
export type Reading = '' | 'Reading the session' | 'Reading older lines' | 'Reading newer lines' | 'Going there';

/** Story is the timeline of one session: a stretch that is read on both ways and follows what happens. */
export class Story {
  timeline = $state.raw<Timeline | null>(null);
  reading = $state<Reading>('');
  trouble = $state('');
  /** The person did not want to wait for the first page. */
  cancelled = $state(false);
  /** How many new lines lie past the end of what is held. */
  past = $state(0);
  /** The lines that changed with the last news. */
  changed = $state.raw<ReadonlySet<string>>(new Set());

  /** Grows with every reading that makes those before it worthless. */
  #generation = 0;
  #following = false;
  #stale: '' | 'changes' | 'all' = '';

  constructor(
    private readonly live: Live,
    readonly id: string,
  ) {}

  /** Whether the end of the session is held. */
  get atEnd(): boolean {
    return this.timeline?.after === '';
  }

  /** Shows the newest page, alone. */
  async newest(): Promise<void> {
    await this.#page('Reading the session', { where: 'before', cursor: '' }, (view) => takeNewest(this.timeline, view));
    if (this.atEnd) this.past = 0;
  }

  /** Shows the page around a line. */
  async around(cursor: string): Promise<void> {
    await this.#page('Going there', { where: 'around', cursor }, only);
    this.past = 0;
  }

  /** Shows the first page. */
  async oldest(): Promise<void> {
    await this.#page('Going there', { where: 'after', cursor: '' }, only);
  }

  /** Reads the page before what is held; false when there is none, or a reading is under way. */
  async older(): Promise<boolean> {
    const cursor = this.timeline?.before;
    if (!cursor || this.reading) return false;
    return this.#page('Reading older lines', { where: 'before', cursor }, (view) => takeOlder(this.#held(view), view));
  }

  /** Reads the page after what is held; false when there is none, or a reading is under way. */
  async newer(): Promise<boolean> {
    const cursor = this.timeline?.after;
    if (!cursor || this.reading) return false;
    const read = await this.#page('Reading newer lines', { where: 'after', cursor }, (view) =>
      takeNewer(this.#held(view), view),
    );
    if (this.atEnd) this.past = 0;
    return read;
  }

  /** Lets go of what is far away at one side. */
  trim(side: 'start' | 'end'): void {
    if (this.timeline) this.timeline = letGo(this.timeline, side);
  }

  /** Stops waiting for what is being read. What is shown stays. */
  cancel(): void {
    this.#generation++;
    this.reading = '';
    this.cancelled = this.timeline === null;
  }

  /** Takes hints in. One about trust can change any line, since calls wait for it. */
  hinted(events: Event[]): void {
    if (events.some((event) => event.type.startsWith('trust.'))) void this.follow('all');
    else if (events.some((event) => event.sessionId === this.id && event.type !== outputHint))
      void this.follow('changes');
  }

  /** Reads what changed, one reading at a time. */
  async follow(stale: 'changes' | 'all' = 'changes'): Promise<void> {
    if (this.#stale !== 'all') this.#stale = stale;
    if (this.#following || !this.timeline) return;
    this.#following = true;
    try {
      while (this.#stale && this.timeline) {
        const wanted: string = this.#stale;
        this.#stale = '';
        if (wanted === 'all' || !(await this.#changes())) await this.#again();
      }
    } catch (cause) {
      if (this.live.link === 'up') this.trouble = sentence(cause);
    } finally {
      this.#following = false;
    }
  }

  /** Takes the changes in; false when there were too many to tell. */
  async #changes(): Promise<boolean> {
    const since = this.timeline?.seq ?? '0';
    const changes = await this.live.bridge.sessionChanges({ sessionId: this.id, since });
    if (changes.missed || !this.timeline) return false;
    const { timeline, past } = takeChanges(this.timeline, changes);
    this.timeline = timeline;
    this.past += past;
    this.trouble = '';
    this.changed = new Set(changes.items.map((item) => item.id));
    return true;
  }

  /** Reads what is shown anew, where it is shown. */
  async #again(): Promise<void> {
    const generation = this.#generation;
    const { timeline, atEnd } = this;
    const middle = timeline?.items[Math.floor(timeline.items.length / 2)]?.cursor;
    const where = atEnd || !middle ? 'before' : 'around';
    const cursor = where === 'around' ? (middle ?? '') : '';
    const view = await this.live.bridge.sessionPage({ sessionId: this.id, where, cursor });
    if (generation !== this.#generation) return;
    this.timeline = where === 'before' ? takeNewest(this.timeline, view) : only(view);
    this.trouble = '';
    this.changed = new Set(view.items.map((item) => item.id));
  }

  #held(view: SessionView): Timeline {
    return this.timeline ?? only(view);
  }

  async #page(
    words: Reading,
    at: Pick<PageRequest, 'where' | 'cursor'>,
    take: (view: SessionView) => Timeline,
  ): Promise<boolean> {
    const generation = ++this.#generation;
    this.reading = words;
    this.cancelled = false;
    try {
      const view = await this.live.bridge.sessionPage({ sessionId: this.id, ...at });
      if (generation !== this.#generation) return false;
      this.timeline = take(view);
      this.trouble = '';
      return true;
    } catch (cause) {
      if (generation === this.#generation) this.trouble = sentence(cause);
      return false;
    } finally {
      if (generation === this.#generation) this.reading = '';
      if (this.#stale) void this.follow(this.#stale);
    }
  }
}
