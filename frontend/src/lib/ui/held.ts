/** Whether something below an element has the keys. */
export function holdsFocus(element: Element | null): boolean {
  const at = document.activeElement;
  return element !== null && at !== element && element.contains(at);
}

/** Whether a person has marked words that are, in part, below an element. */
export function holdsSelection(element: Element): boolean {
  const selection = document.getSelection();
  if (!selection) return false;
  // Not isCollapsed: where the page has just changed, its answer waits for a layout.
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
  if (anchorNode === focusNode && anchorOffset === focusOffset) return false;
  return selection.containsNode(element, true);
}
