import { cleanup } from '@testing-library/svelte';
import { afterEach, vi } from 'vitest';

import { pieces } from '../views/pieces';

// A test finds the page as it is once it has come to rest: a view that is gone to is there at once.
await Promise.all(Object.values(pieces).map((piece) => piece.load()));

// A test finds the document, the clock and what the page keeps as if it were the first.
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
  document.documentElement.removeAttribute('data-theme');
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', '/');
});

// What jsdom lacks of a browser and the page needs to be mounted.
class Watch {
  observe() {}
  unobserve() {}
  disconnect() {}
}
globalThis.ResizeObserver ??= Watch as unknown as typeof ResizeObserver;
Element.prototype.scrollIntoView ??= () => {};
Element.prototype.scrollTo ??= () => {};
globalThis.CSS ??= { escape: (text: string) => text } as unknown as typeof CSS;
globalThis.matchMedia ??= ((media: string) => ({
  ...{ media, matches: false, onchange: null },
  ...{
    addEventListener() {},
    removeEventListener() {},
    addListener() {},
    removeListener() {},
    dispatchEvent: () => true,
  },
})) as typeof matchMedia;
HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
  this.open = true;
};
