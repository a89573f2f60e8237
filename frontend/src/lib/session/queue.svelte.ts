import { BridgeError, sentence } from '../bridge/bridge';
import type { Live } from '../bridge/live.svelte';

/** A task that waits on this page until the turn of its session has ended. */
export interface Queued {
  id: number;
  sessionId: string;
  text: string;
}

/**
 * Queue keeps follow-ups for the built-in agent and sends each when the turn before it has
 * ended. They live on this page alone: nothing is sent by a page that is closed.
 */
export class Queue {
  waiting = $state.raw<Queued[]>([]);
  /** Why the first one could not be sent, "" when nothing is wrong. It stays until it is removed or sent. */
  trouble = $state('');

  #last = 0;
  #sending = false;
  /** Sessions whose turn was stopped by hand: what waits there is not sent by itself. */
  held = $state.raw<ReadonlySet<string>>(new Set());

  constructor(private readonly live: Live) {}

  of(sessionId: string): Queued[] {
    return this.waiting.filter((one) => one.sessionId === sessionId);
  }

  add(sessionId: string, text: string): void {
    this.waiting = [...this.waiting, { id: ++this.#last, sessionId, text }];
  }

  remove(id: number): void {
    this.waiting = this.waiting.filter((one) => one.id !== id);
    this.trouble = '';
  }

  /** Keeps what waits in a session where it is, since the person stopped the turn before it. */
  hold(sessionId: string): void {
    if (this.of(sessionId).length) this.held = new Set([...this.held, sessionId]);
  }

  /** Lets what waits in a session go on. */
  release(sessionId: string): void {
    this.held = new Set([...this.held].filter((one) => one !== sessionId));
    this.follow();
  }

  /** Sends what need not wait any more. */
  follow(): void {
    if (this.#sending || this.trouble || this.live.link !== 'up') return;
    const sessions = this.live.snapshot?.sessions ?? [];
    const ready = this.waiting.find(
      (one) => !this.held.has(one.sessionId) && sessions.some((row) => row.id === one.sessionId && !row.busy),
    );
    if (ready) void this.#send(ready);
  }

  async #send(one: Queued): Promise<void> {
    this.#sending = true;
    try {
      await this.live.bridge.startTask({ sessionId: one.sessionId, text: one.text });
      this.remove(one.id);
      await this.live.refresh();
    } catch (cause) {
      // A turn that began in the same moment ends, and then it is tried again.
      if (!(cause instanceof BridgeError && cause.code === 'busy')) this.trouble = sentence(cause);
    } finally {
      this.#sending = false;
    }
    // What was read meanwhile says whether the next one must wait.
    if (!this.waiting.includes(one)) this.follow();
  }
}
