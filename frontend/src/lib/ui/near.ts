/** The box that scrolls an element, null when that is the page. */
export function scrollerOf(element: Element): Element | null {
  return element.parentElement && scrollerAt(element.parentElement);
}

/** The box that scrolls where an element is: itself, or what scrolls it. */
export function scrollerAt(element: Element): Element | null {
  return /auto|scroll/.test(getComputedStyle(element).overflowY) ? element : scrollerOf(element);
}

/**
 * Calls back when an element comes near what is in view, and when it goes far from it.
 * Returns the function that ends it. Where nothing can be watched, everything counts as near.
 */
export function watchNear(element: Element, tell: (near: boolean) => void): () => void {
  if (typeof IntersectionObserver === 'undefined') {
    tell(true);
    return () => {};
  }
  const box = scrollerOf(element);
  const root = box ?? document;
  let watch = watches.get(root);
  if (!watch) watches.set(root, (watch = new Watch(box)));
  const { tells, observer } = watch;
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

/** All that is watched in one box: hundreds of observers would cost more than what they save. */
class Watch {
  readonly tells = new Map<Element, (near: boolean) => void>();
  readonly observer: IntersectionObserver;

  constructor(root: Element | null) {
    const seen = (entries: IntersectionObserverEntry[]) => {
      for (const { target, isIntersecting } of entries) this.tells.get(target)?.(isIntersecting);
    };
    this.observer = new IntersectionObserver(seen, { root, rootMargin: '1200px 0px' });
  }
}

const watches = new WeakMap<Node, Watch>();

/** Whether the browser keeps what is read in place when something above it grows. */
const anchors = () => typeof CSS !== 'undefined' && CSS.supports?.('overflow-anchor', 'auto');

/**
 * Keeps what is read in place after a block above it was drawn with another height than it
 * had kept room for. Browsers that do so themselves are left alone.
 */
export function keepPlace(block: HTMLElement, heightBefore: number): void {
  const box = scrollerOf(block);
  if (!box || anchors()) return;
  const grown = block.offsetHeight - heightBefore;
  if (grown && block.getBoundingClientRect().top < box.getBoundingClientRect().top) box.scrollTop += grown;
}
