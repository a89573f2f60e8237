/**
 * Pace runs a task soon after it was asked for, once for everyone who asked meanwhile, and
 * never more often than every so many milliseconds: a storm of hints costs as many
 * readings as time has room for, not as many as there are hints.
 */
export class Pace {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = -Infinity;

  constructor(
    private readonly run: () => void,
    private readonly gapMs: number,
  ) {}

  /** Asks for a run. The first one comes after a frame, so that what comes together counts once. */
  ask(): void {
    if (this.#timer !== undefined) return;
    const waitMs = Math.max(frameMs, this.#last + this.gapMs - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#last = performance.now();
      this.run();
    }, waitMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

const frameMs = 16;
