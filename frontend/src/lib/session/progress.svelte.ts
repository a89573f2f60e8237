import type { Live } from '../bridge/live.svelte';

const readMs = 1_000;

/** Progress is the last line that the program of each running call printed. */
export class Progress {
  lines = $state.raw<ReadonlyMap<string, string>>(new Map());

  constructor(private readonly live: Live) {}

  /** Follows the running calls; returns the function that stops it. */
  follow(): () => void {
    void this.#read();
    const timer = setInterval(() => {
      if (!document.hidden) void this.#read();
    }, readMs);
    return () => clearInterval(timer);
  }

  // What cannot be read is told by the link, and comes with the next reading.
  async #read(): Promise<void> {
    if (this.live.link !== 'up') return;
    try {
      this.lines = new Map((await this.live.bridge.callProgress()).map((one) => [one.id, one.line]));
    } catch {
      this.lines = new Map();
    }
  }
}
