import { getContext, setContext, tick } from 'svelte';

import type { Bridge } from '../bridge/bridge';
import type { OutputRef } from '../bridge/dto';
import { Viewer } from './viewer.svelte';

/** Outputs is which output is open over the view, if any. */
export class Outputs {
  viewer = $state.raw<Viewer | null>(null);

  constructor(private readonly bridge: () => Bridge) {}

  #before: Element | null = null;

  show({ sessionId, name }: OutputRef): void {
    const before = document.activeElement;
    this.close();
    this.#before = before;
    this.viewer = new Viewer(this.bridge(), { sessionId, name });
    void this.viewer.begin();
  }

  /** Closes what is open. What had the keys before has them again, unless something else took them. */
  close(): void {
    if (!this.viewer) return;
    this.viewer.end();
    this.viewer = null;
    const before = this.#before;
    void tick().then(() => {
      const free = document.activeElement === null || document.activeElement === document.body;
      if (free && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    });
  }
}

const key = Symbol('outputs');

/** Hands the open output to every component below. */
export function provideOutputs(outputs: Outputs): void {
  setContext(key, outputs);
}

/** What opens outputs here; undefined where nothing does. */
export function useOutputs(): Outputs | undefined {
  return getContext<Outputs | undefined>(key);
}

/** The output whose log lies at a path of the store: the last part is its name. */
export function refOf(sessionId: string, path: string): OutputRef {
  return { sessionId, name: path.split(/[\\/]/).at(-1) ?? '' };
}
