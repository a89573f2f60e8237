/**
 * Does something in the next frame, before it is shown. What asks where things are, or moves
 * them, belongs there: the page is laid out once for all of it, and not again and again while
 * it is drawn. Returns the function that takes it back.
 */
export function inFrame(act: () => unknown): () => void {
  const frame = requestAnimationFrame(() => act());
  return () => cancelAnimationFrame(frame);
}

/** How long is waited where a browser does not say when it rests. */
const restMs = 20;

/**
 * Does something once the page rests, or after `latestMs`: what was drawn is shown first. Returns the
 * function that takes it back.
 */
export function atRest(act: () => unknown, latestMs: number): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(act, restMs);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(() => act(), { timeout: latestMs });
  return () => cancelIdleCallback(request);
}
