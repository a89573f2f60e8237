/** Whether something below an element has the keys. */
export function holdsFocus(element: Element | null): boolean {
  const at = document.activeElement;
  return element !== null && at !== element && element.contains(at);
}

/** Whether a person has marked words that are, in part, below an element. */
export function holdsSelection(element: Element): boolean {
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(element, true);
}
