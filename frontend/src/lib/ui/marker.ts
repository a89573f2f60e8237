import { getContext, setContext } from 'svelte';

const key = Symbol('marker');

/** Says which text stands for what is hidden from eyes, for all that is drawn below. */
export function setMarker(marker: () => string): void {
  setContext(key, marker);
}

/** The text that stands for what is hidden where this is drawn, "" for none. */
export function useMarker(): () => string {
  return getContext<(() => string) | undefined>(key) ?? (() => '');
}
