/**
 * Does something in the next frame, before it is shown. What asks where things are, or moves
 * them, belongs there: the page is laid out once for all of it, and not again and again while
 * it is drawn. Returns the function that takes it back.
 */
export function inFrame(act: () => unknown): () => void {
  const frame = requestAnimationFrame(() => act());
  return () => cancelAnimationFrame(frame);
}
