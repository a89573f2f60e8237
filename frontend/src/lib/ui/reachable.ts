/**
 * An action for a box that scrolls only when its text is very long: then, and
 * only then, the keyboard can come to it.
 */
export function reachable(box: HTMLElement): { destroy(): void } {
  const measure = () => {
    if (box.scrollHeight > box.clientHeight + 1) box.tabIndex = 0;
    else box.removeAttribute('tabindex');
  };
  const watch = new ResizeObserver(measure);
  watch.observe(box);
  for (const child of box.children) watch.observe(child);
  return { destroy: () => watch.disconnect() };
}
