import { getContext, setContext } from 'svelte';

import type { Bridge } from './bridge';

const key = Symbol('bridge');

/** Hands the bridge to every component below. */
export function provideBridge(bridge: Bridge): void {
  setContext(key, bridge);
}

/** The bridge of this page, for what asks the desk only when it is shown; undefined where there is none. */
export function useBridge(): Bridge | undefined {
  return getContext<Bridge | undefined>(key);
}

/** The context of a component that is drawn without a page around it. */
export function bridgeAlone(bridge: Bridge): Map<unknown, unknown> {
  return new Map([[key, bridge]]);
}
