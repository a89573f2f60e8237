let covers = 0;

/**
 * Marks the page as covered while something modal floats over it, until the function it
 * returns is called. What lies behind shows no scroll bars then: WebKitGTK would paint
 * them over what floats.
 */
export function cover(): () => void {
  mark(1);
  return () => mark(-1);
}

function mark(by: number): void {
  covers += by;
  document.documentElement.toggleAttribute('data-covered', covers > 0);
}
