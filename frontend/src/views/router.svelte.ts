import { flushSync } from 'svelte';

import { type Route, routeOf } from './route';

/**
 * Router is which view is shown, as the address has it. A view that comes has the keys, so that what
 * is pressed next is for it and not for the link that led there, and a screen reader says its name.
 */
export class Router {
  route = $state.raw<Route>(routeOf(location.hash));
  #hash = location.hash;

  /**
   * Reads the address. The event that tells of a change comes after it: call this before a key is
   * heard as well, so that no key reaches the view that was left.
   */
  follow(): void {
    if (location.hash === this.#hash) return;
    this.#hash = location.hash;
    const { view } = this.route;
    this.route = routeOf(location.hash);
    if (this.route.view === view) return;
    flushSync();
    this.arrive();
  }

  /** Whether what is shown as the view has the keys. */
  holdsKeys(): boolean {
    return document.querySelector('main')?.contains(document.activeElement) ?? false;
  }

  /** Gives the keys to the view that is shown, unless something in it has them. */
  arrive(): void {
    const main = document.querySelector('main');
    if (main && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
  }
}
