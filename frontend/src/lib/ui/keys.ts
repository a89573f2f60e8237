/** One key, or several that do the same, as a line of the keyboard map. */
export interface Key {
  /** The chords that it is pressed by: "j", "?", "ArrowDown", "Ctrl+Enter". */
  readonly on: readonly string[];
  /** What it does, as the map says it. */
  readonly words: string;
  /** It counts while a text is being written, too. A chord with Ctrl always does. */
  readonly writing?: boolean;
  /** It counts again and again while it is held: it moves and decides nothing. */
  readonly held?: boolean;
}

/** The keys of one place. Its handler and the keyboard map read the same table. */
export type Keys = Readonly<Record<string, Key>>;

/** What each key of a table does. An act that returns false did not take the key. */
export type Acts<K extends Keys> = { readonly [name in keyof K]: (chord: string) => boolean | void };

/** Whether the person is writing: then a letter is a letter and never an answer. */
export function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  const field = target.closest('input, textarea, select, [contenteditable]:not([contenteditable="false"])');
  if (!field) return false;
  return !(field instanceof HTMLInputElement && ['checkbox', 'radio', 'button'].includes(field.type));
}

/** Whether this is a sign that a text is made of, and not a key that leads somewhere. */
export function isLetter(event: KeyboardEvent): boolean {
  return event.key.length === 1 && event.key !== ' ';
}

/** Whether this key presses the button that has the focus. */
export function isPress(event: KeyboardEvent): boolean {
  return event.key === 'Enter' || event.key === ' ';
}

/** Whether this key presses a button that has the focus, so that it means nothing else. */
function isForFocus(event: KeyboardEvent): boolean {
  return isPress(event) && event.target instanceof Element && event.target.closest(pressed) !== null;
}

/** Whether this is a button's key that is only still held: a button is pressed once, however long its key is down. */
export function isHeldPress(event: KeyboardEvent): boolean {
  return event.repeat && isForFocus(event);
}

const pressed = 'button, a, summary, input:is([type="checkbox"], [type="radio"], [type="button"])';

/** The key of the system that this is, "" for another: with one held, a letter is not for this page. */
export function systemKey(event: KeyboardEvent): string {
  return ['Meta', 'Super', 'Hyper', 'OS'].includes(event.key) ? event.key : '';
}

/**
 * The chord that was pressed, or "" for none: with Alt, with Shift where that makes another
 * letter, or as part of a composition. Command counts as Ctrl.
 */
export function chordOf(event: KeyboardEvent): string {
  const { key } = event;
  if (event.altKey || event.isComposing || key === 'Dead' || key === 'Process') return '';
  if (event.ctrlKey || event.metaKey) return event.shiftKey ? '' : `Ctrl+${controlled(event)}`;
  if (key.length > 1) return event.shiftKey ? `Shift+${key}` : key;
  // A capital is another key: it takes Shift, or Caps Lock that nobody meant. A sign is itself,
  // since where it needs Shift depends on the keyboard.
  const isCapital = key !== key.toLowerCase();
  return isCapital || (event.shiftKey && /[\p{L}\p{N}\s]/u.test(key)) ? '' : key;
}

// With Ctrl the place of the key counts where its letter is none of ours: digits need Shift on
// some keyboards, and others write no Latin letters.
function controlled({ key, code }: KeyboardEvent): string {
  if (key.length > 1) return key;
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];
  const letter = key > '~' ? /^Key([A-Z])$/.exec(code)?.[1] : undefined;
  return digit ?? (letter ?? key).toLowerCase();
}

/**
 * Does what the pressed key means in a place, and keeps the browser from doing more. False when
 * it means nothing there: not in the table, taken already, typed into a field, or held down.
 */
export function press<K extends Keys>(event: KeyboardEvent, keys: K, acts: Acts<K>): boolean {
  const chord = event.defaultPrevented ? '' : chordOf(event);
  if (!chord) return false;
  for (const name of Object.keys(keys) as (keyof K & string)[]) {
    const key = keys[name];
    if (!key?.on.includes(chord) || (event.repeat && !key.held)) continue;
    if (!key.writing && !chord.startsWith('Ctrl+') && isWriting(event.target)) continue;
    if (acts[name](chord) === false) continue;
    event.preventDefault();
    return true;
  }
  return false;
}

/** Whether a key is one that counts in every view: what covers a view leaves it alone. */
export function isEverywhere(event: KeyboardEvent): boolean {
  const chord = chordOf(event);
  return chord === '?' || chord.startsWith('Ctrl+');
}

const caps: Record<string, string> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: '↵',
  Escape: 'Esc',
  PageDown: 'Page down',
  PageUp: 'Page up',
  ' ': 'Space',
};

/** How a chord is printed on a key cap: "Ctrl ↵", "J", "Esc". */
export function capOf(chord: string): string {
  const parts = chord.length > 1 ? chord.split('+') : [chord];
  return parts.map((part) => caps[part] ?? (part.length === 1 ? part.toUpperCase() : part)).join(' ');
}
