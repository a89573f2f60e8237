/** The box that scrolls an element, null when that is the page. */
export function scrollerOf(element: Element): HTMLElement | null {
  for (let box = element.parentElement; box; box = box.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(box).overflowY)) return box;
  }
  return null;
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
  const watch = new IntersectionObserver((seen) => tell(seen.at(-1)?.isIntersecting ?? true), {
    root: scrollerOf(element),
    rootMargin: '1200px 0px',
  });
  watch.observe(element);
  return () => watch.disconnect();
}

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
