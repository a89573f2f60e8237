/** How long a button must be held before it counts. */
export const holdMs = 700;

const tickMs = 50;

/** Hold measures how long a button is held. Letting go resets it at once; a full hold fires once. */
export class Hold {
  heldMs = $state(0);
  holding = $derived(this.heldMs > 0);

  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly done: () => void) {}

  start(): void {
    this.stop();
    this.heldMs = 1;
    const from = performance.now();
    this.#timer = setInterval(() => {
      this.heldMs = Math.max(1, performance.now() - from);
      if (this.heldMs < holdMs) return;
      this.stop();
      this.done();
    }, tickMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.heldMs = 0;
  }

  /** What is left to hold, in words for those who see no motion. */
  get left(): string {
    return `${(Math.max(0, holdMs - this.heldMs) / 1_000).toFixed(1)} s`;
  }
}
