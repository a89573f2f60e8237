import { inFrame } from './frame';

/** The box that scrolls an element, null when that is the page. */
export function scrollerOf(element: Element): Element | null {
  return element.parentElement && scrollerAt(element.parentElement);
}

/** The box that scrolls where an element is: itself, or what scrolls it. */
export function scrollerAt(element: Element): Element | null {
  return /auto|scroll/.test(getComputedStyle(element).overflowY) ? element : scrollerOf(element);
}

/** Told whether an element is near what is in view, and how high it was, in pixels, when that was seen. */
export type TellNear = (near: boolean, height: number) => void;

/**
 * Calls back when an element comes near what is in view, and when it goes far from it.
 * Returns the function that ends it. Where nothing can be watched, everything counts as near.
 */
export function watchNear(element: Element, tell: TellNear): () => void {
  if (typeof IntersectionObserver === 'undefined') {
    tell(true, 0);
    return () => {};
  }
  // What scrolls it is known by the styles, which are not worked out before the frame.
  let end = inFrame(() => (end = watch(element, tell)));
  return () => end();
}

function watch(element: Element, tell: TellNear): () => void {
  const box = scrollerOf(element);
  const root = box ?? document;
  let seen = watches.get(root);
  if (!seen) watches.set(root, (seen = new Watch(box)));
  const { tells, observer } = seen;
  tells.set(element, tell);
  observer.observe(element);
  return () => {
    tells.delete(element);
    observer.unobserve(element);
    if (tells.size === 0) {
      observer.disconnect();
      watches.delete(root);
    }
  };
}

/** How far around what is in view something is near, in pixels, and how much of that is told in one frame. */
const around = 1_200;

/** All that is watched in one box: hundreds of observers would cost more than what they save. */
class Watch {
  readonly tells = new Map<Element, TellNear>();
  readonly observer: IntersectionObserver;
  /** What is near and not in view yet, with its height: what is in view does not wait for it. */
  readonly #later = new Map<Element, number>();
  #frame = 0;

  constructor(root: Element | null) {
    this.observer = new IntersectionObserver((entries) => this.#seen(entries), { root, rootMargin: `${around}px 0px` });
  }

  #seen(entries: IntersectionObserverEntry[]) {
    for (const entry of entries) {
      const { target, isIntersecting } = entry;
      const { height } = entry.boundingClientRect;
      this.#later.delete(target);
      if (isIntersecting && !inView(entry)) this.#later.set(target, height);
      else this.tells.get(target)?.(isIntersecting, height);
    }
    this.#goOn();
  }

  #goOn() {
    if (!this.#frame && this.#later.size) this.#frame = requestAnimationFrame(() => this.#tellNext());
  }

  #tellNext() {
    this.#frame = 0;
    let told = 0;
    for (const [target, height] of this.#later) {
      if (told >= around) break;
      this.#later.delete(target);
      told += height;
      this.tells.get(target)?.(true, height);
    }
    this.#goOn();
  }
}

/** Whether any of something lies in the box itself, which the bounds of the root reach beyond. */
function inView({ boundingClientRect: at, rootBounds: bounds }: IntersectionObserverEntry): boolean {
  return !bounds || (at.bottom > bounds.top + around && at.top < bounds.bottom - around);
}

const watches = new WeakMap<Node, Watch>();

/** Whether the browser keeps what is read in place when something above it grows. */
const anchors = typeof CSS !== 'undefined' && CSS.supports?.('overflow-anchor', 'auto');

/**
 * Keeps what is read in place after a block above it was drawn with another height than it
 * had kept room for. Browsers that do so themselves are left alone.
 */
export function keepPlace(block: HTMLElement, heightBefore: number): void {
  // To ask for a style makes the browser work out all of them, so it is not asked for nothing.
  const box = anchors ? null : scrollerOf(block);
  if (!box) return;
  const grown = block.offsetHeight - heightBefore;
  if (grown && block.getBoundingClientRect().top < box.getBoundingClientRect().top) box.scrollTop += grown;
}
