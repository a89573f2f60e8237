import { getContext, setContext } from 'svelte';

import type { PageFault } from '../bridge/dto';

// What is told to the desk in one minute. A thing that breaks whenever it is drawn breaks often.
const mostTold = 10;
const windowMs = 60_000;
// The desk cuts further; this keeps a huge message off the wire.
const maxText = 4_000;

// Browsers report this as an error although nothing went wrong: a size was read a frame later.
const harmless = /^ResizeObserver loop/;

/** Faults are what went wrong in the page itself: told to the desk's log, and said in the page. */
export class Faults {
  /** Something broke outside every part that can be drawn again. */
  loose = $state(false);
  /** The last fault reached the desk's log. */
  logged = $state(true);

  #told: number[] = [];

  constructor(private readonly tell: (fault: PageFault) => Promise<void>) {}

  /** Takes a fault of a part of the page. */
  record(where: string, cause: unknown): void {
    const now = Date.now();
    this.#told = this.#told.filter((at) => now - at < windowMs);
    if (this.#told.length >= mostTold) return;
    this.#told.push(now);
    void this.#send({ where, ...described(cause) });
  }

  /** Takes what nothing else caught, until the returned function is called. */
  watch(): () => void {
    const failed = (event: ErrorEvent) => {
      if (!harmless.test(event.message)) this.#loosed(event.error ?? event.message);
    };
    const rejected = (event: PromiseRejectionEvent) => this.#loosed(event.reason);
    addEventListener('error', failed);
    addEventListener('unhandledrejection', rejected);
    return () => {
      removeEventListener('error', failed);
      removeEventListener('unhandledrejection', rejected);
    };
  }

  #loosed(cause: unknown): void {
    this.loose = true;
    this.record('page', cause);
  }

  async #send(fault: PageFault): Promise<void> {
    try {
      await this.tell(fault);
      this.logged = true;
    } catch {
      this.logged = false;
    }
  }
}

const key = Symbol('faults');

/** Hands the faults of the page to every component below. */
export function provideFaults(faults: Faults): void {
  setContext(key, faults);
}

/** The faults of the page, for a part that guards parts of its own. */
export function useFaults(): Faults | undefined {
  return getContext<Faults | undefined>(key);
}

/** What is known of a thrown value, whatever it is and however it answers. */
function described(cause: unknown): { message: string; stack: string } {
  try {
    if (!(cause instanceof Error)) return { message: cut(String(cause)), stack: '' };
    return { message: cut(`${cause.name}: ${cause.message}`), stack: cut(cause.stack ?? '') };
  } catch {
    return { message: 'a value that cannot be read', stack: '' };
  }
}

// A half of a pair cannot cross to the desk.
const cut = (text: string) => text.slice(0, maxText).replace(/\p{Cs}/gu, '\ufffd');
