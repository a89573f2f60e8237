import { getContext, setContext } from 'svelte';

import type { Bridge } from '../bridge/bridge';
import type { OutputRef } from '../bridge/dto';
import { Viewer } from './viewer.svelte';

/** Outputs is which output is open over the view, if any. */
export class Outputs {
  viewer = $state.raw<Viewer | null>(null);

  constructor(private readonly bridge: () => Bridge) {}

  show({ sessionId, name }: OutputRef): void {
    this.close();
    this.viewer = new Viewer(this.bridge(), { sessionId, name });
    void this.viewer.begin();
  }

  close(): void {
    this.viewer?.end();
    this.viewer = null;
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
