/** Whether the person is writing: then a letter is a letter and never an answer. */
export function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  const field = target.closest('input, textarea, select, [contenteditable]:not([contenteditable="false"])');
  if (!field) return false;
  return !(field instanceof HTMLInputElement && ['checkbox', 'radio', 'button'].includes(field.type));
}

/**
 * The plain key that was pressed by itself, or "" where it is no command: a capital, with a
 * modifier, repeated by a held key, part of a composition, or typed into a field.
 */
export function plainKey(event: KeyboardEvent): string {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return '';
  if (event.defaultPrevented || isWriting(event.target)) return '';
  // A capital is another key: it takes Shift, or Caps Lock that nobody meant.
  const isCapital = event.key !== event.key.toLowerCase() && event.key.length === 1;
  return isCapital || (event.shiftKey && event.key.length === 1) ? '' : event.key;
}

/** Whether this is Ctrl+Enter, or Command+Enter, pressed once. */
export function isConfirm(event: KeyboardEvent): boolean {
  return (
    event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.repeat && !event.isComposing
  );
}
