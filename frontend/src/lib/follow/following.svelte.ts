/** How long after a touch a scroll counts as the person's. */
const touchMs = 1_000;

/**
 * Following is whether the end of a list stays in view as it grows: until a person goes elsewhere,
 * and again once they are back at it. Times are in milliseconds, heights in pixels.
 */
export class Following {
  #on = $state(true);
  #touched = -Infinity;
  #own = -Infinity;
  /** What the person did last leads up. */
  #up = false;

  /** A scroll that comes longer than `ownMs` after the list moved by itself is a person's, touched or not. */
  constructor(
    private readonly endPx: number,
    private readonly ownMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get on(): boolean {
    return this.#on;
  }

  set on(on: boolean) {
    this.#on = on;
    if (on) this.#up = false;
  }

  /** The person did something that scrolls. */
  touch(): void {
    this.#touched = this.now();
    this.#up = false;
  }

  /** The person goes up. Lines that come before the list has moved take nobody back to the end. */
  up(): void {
    this.touch();
    this.#up = true;
    this.on = false;
  }

  /** Lines came or went, or the list was scrolled by itself. */
  moved(): void {
    this.#own = this.now();
  }

  /** The end is gone to, and followed from there. */
  start(): void {
    this.on = true;
    this.moved();
  }

  /** Takes in how much is below what is in view, and whether what ends there can be followed. */
  scrolled(below: number, isEnd = true): void {
    // Whoever goes up is near the end at first.
    if (below < this.endPx) this.on = isEnd && !this.#up;
    else if (this.now() - this.#touched < touchMs || this.now() - this.#own > this.ownMs) this.on = false;
  }
}
