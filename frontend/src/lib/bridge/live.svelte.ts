import { type Bridge, type Link, sentence } from './bridge';
import type { Effect, Event, Snapshot } from './dto';
import { fresh, outputHint, take, waitingHints } from './events';
import { Pace } from './pace';
import { share } from './share';

const tickMs = 1_000;

/** The shortest time between two readings that hints ask for. */
export const paceMs = 150;

/** How long a reading waits for what it is to be shown with: a frame. */
const togetherMs = 16;

/** How many hints are handed on; after more, everything is read again. */
const maxHints = 1_000;

/**
 * Live is what the desk last said, kept fresh: hints make it read the snapshot
 * again, one reading at a time and at a pace, and a lost hint or a new connection
 * does the same. Readers of finer things follow `epoch`, which grows whenever what
 * they hold may be old.
 */
export class Live {
  snapshot = $state.raw<Snapshot | null>(null);
  link = $state<Link>('connecting');
  /** The desk's time in milliseconds, for ages. */
  now = $state(Date.now());
  epoch = $state(0);
  /** Why the last reading failed, in words; "" when it did not. */
  trouble = $state('');
  /** What the last change of settings did to the calls that waited; null for nothing. */
  effect = $state.raw<Effect | null>(null);

  #sequence = fresh;
  #reading = false;
  #stale = false;
  #skewMs = 0;
  #listeners = new Set<(events: Event[]) => void>();
  /** The hints that came since the last reading, each once, and whether some were lost. */
  #hints = new Map<string, Event>();
  #lost = false;
  #together: Promise<unknown> | null = null;
  #pace = new Pace(() => this.#follow(), paceMs);
  #stops: (() => void)[] = [];

  constructor(readonly bridge: Bridge) {}

  /** Starts following the desk; returns the function that stops it. */
  start(): () => void {
    const timer = setInterval(() => (this.now = Date.now() + this.#skewMs), tickMs);
    this.#stops = [
      () => clearInterval(timer),
      () => this.#pace.stop(),
      this.bridge.onState((link) => this.#linked(link)),
      this.bridge.onEvent((event) => this.#hinted(event)),
    ];
    return () => this.#stops.forEach((stop) => stop());
  }

  /** Calls back with the hints that came, at the pace of the readings, equal ones once. Lost ones are told by `epoch`. */
  onEvents(listener: (events: Event[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Has the next reading shown together with what another one brings, so that the page is drawn once. */
  showWith(reading: Promise<unknown>): void {
    this.#together = reading.catch(() => {});
  }

  /** Reads the snapshot again; a reading that is under way is followed by one more. */
  async refresh(): Promise<void> {
    this.#stale = true;
    if (this.#reading) return;
    this.#reading = true;
    try {
      while (this.#stale && this.link === 'up') {
        this.#stale = false;
        await this.#read();
      }
    } finally {
      this.#reading = false;
    }
  }

  /** Reads everything again that is shown, as after a lost hint. */
  again(): void {
    this.epoch++;
    void this.refresh();
  }

  /** Takes in what a change of settings did. One that did nothing leaves what is told. */
  did(effect: Effect | void): void {
    if (effect?.words) this.effect = effect;
  }

  async #read() {
    const together = this.#together;
    this.#together = null;
    try {
      const snapshot = await this.bridge.snapshot();
      if (together) await Promise.race([together, new Promise((late) => setTimeout(late, togetherMs))]);
      const at = Date.parse(snapshot.desk.now);
      if (!Number.isNaN(at)) this.#skewMs = at - Date.now();
      this.now = Date.now() + this.#skewMs;
      this.snapshot = share(this.snapshot, snapshot);
      this.trouble = '';
    } catch (cause) {
      this.trouble = sentence(cause);
    }
  }

  #linked(link: Link) {
    this.link = link;
    if (link !== 'up') return;
    this.#sequence = fresh;
    this.epoch++;
    void this.refresh();
  }

  #hinted(event: Event) {
    const { sequence, gap } = take(this.#sequence, event);
    this.#sequence = sequence;
    this.#lost ||= gap || this.#hints.size >= maxHints;
    if (!this.#lost) this.#hints.set(`${event.type} ${event.sessionId} ${event.ref}`, event);
    if (waitingHints.includes(event.type)) this.#pace.hurry();
    else this.#pace.ask();
  }

  #follow() {
    const hints = [...this.#hints.values()];
    this.#hints.clear();
    const quiet = !this.#lost && hints.every((hint) => hint.type === outputHint);
    if (this.#lost) this.epoch++;
    this.#lost = false;
    if (hints.length) for (const listener of this.#listeners) listener(hints);
    if (!quiet) void this.refresh();
  }
}
