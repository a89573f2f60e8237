import { lookAlikes } from './lookalike';
import { type Hiding, nothingHidden, placesOf } from './marker';

/** A run of foreign text, or one character of it that would not be seen as what it is. */
export interface Segment {
  text: string;
  /** "U+200B" when the segment stands for such a character, else "". */
  code: string;
  name: string;
  /** It stands for a piece that is hidden from eyes. */
  secret?: boolean;
  /** It was hidden from eyes and is revealed. */
  revealed?: boolean;
  /** It stands for line breaks of a text of several lines that is drawn on one. */
  broken?: boolean;
}

/** A run of characters that the desk found to be hidden or alike others, in UTF-16 units. */
export interface Odd {
  at: number;
  length: number;
  name: string;
}

// Controls, formats (bidirectional, zero-width, tags), private use, separators,
// spaces that are not the space bar's, fillers and selectors. Line feed and tab
// are laid out by the caller.
const hidden =
  // eslint-disable-next-line no-misleading-character-class
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u2800\u3164\uffa0\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

// On a line of its own a line break or a tab would pass for a space, and a space at an edge for nothing.
// eslint-disable-next-line no-misleading-character-class
const hiddenOnLine = new RegExp(`[\\n\\t]|^ | $|(?<=^ *) | (?= *$)|${hidden.source}`, 'gu');

// In a path a space beside a slash or another space would pass for nothing, too.
// eslint-disable-next-line no-misleading-character-class
const hiddenInPath = new RegExp(` (?=[ /])|(?<=[ /]) |${hiddenOnLine.source}`, 'gu');

/**
 * What a text is shown as: running text, a line that must stay one, a path, what somebody
 * calls himself, or code of several lines on one, where a line break is nothing odd.
 */
export type Shape = 'text' | 'line' | 'path' | 'name' | 'code';

const marks: Record<Shape, RegExp> = {
  text: hidden,
  line: hiddenOnLine,
  path: hiddenInPath,
  name: hiddenOnLine,
  code: hiddenOnLine,
};

// What nearly all text is: nothing hidden in any shape. It is told apart first, since the marks
// above are slow to look for where thousands of lines come.
const plainRun = /^[!-~]+(?: [!-~]+)*$/;
const spaceAtSlash = /\/ | \//;
// In running text a tab, a line break and a space at an edge are no less plain.
const plainText = /^[\t\n -~]+$/;

function isPlain(text: string, shape: Shape): boolean {
  if (shape === 'text') return plainText.test(text);
  return plainRun.test(text) && !(shape === 'path' && spaceAtSlash.test(text));
}

const names: Record<number, string> = {
  0x00: 'null',
  0x07: 'bell',
  0x08: 'backspace',
  0x09: 'tab',
  0x0a: 'line break',
  0x0b: 'vertical tab',
  0x0c: 'form feed',
  0x0d: 'carriage return',
  0x1b: 'escape',
  0x20: 'space',
  0x7f: 'delete',
  0x9b: 'control sequence',
  0xa0: 'no-break space',
  0xad: 'soft hyphen',
  0x34f: 'grapheme joiner',
  0x61c: 'Arabic letter mark',
  0x200b: 'zero-width space',
  0x200c: 'zero-width non-joiner',
  0x200d: 'zero-width joiner',
  0x200e: 'left-to-right mark',
  0x200f: 'right-to-left mark',
  0x2028: 'line separator',
  0x2029: 'paragraph separator',
  0x202a: 'left-to-right embedding',
  0x202b: 'right-to-left embedding',
  0x202c: 'end of direction',
  0x202d: 'left-to-right override',
  0x202e: 'right-to-left override',
  0x202f: 'narrow no-break space',
  0x2060: 'word joiner',
  0x2066: 'left-to-right isolate',
  0x2067: 'right-to-left isolate',
  0x2068: 'first-strong isolate',
  0x2069: 'end of isolate',
  0x3000: 'ideographic space',
  0x3164: 'filler',
  0xfeff: 'byte order mark',
};

function nameOf(point: number): string {
  const known = names[point];
  if (known) return known;
  if (point < 0x20 || (point >= 0x80 && point < 0xa0)) return 'control character';
  if (point >= 0xe0000 && point <= 0xe007f) return 'tag character';
  if ((point >= 0xfe00 && point <= 0xfe0f) || (point >= 0xe0100 && point <= 0xe01ef)) return 'variation selector';
  if (point >= 0x2000 && point <= 0x200a) return 'wide space';
  return 'hidden character';
}

/** The code point as it is written, and how often it stands there: U+200B, U+200B ×3. */
function codeOf(characters: string): string {
  const point = characters.codePointAt(0) ?? 0;
  const times = characters.length > 2 || point < 0x10000 ? [...characters].length : 1;
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}${times > 1 ? ` ×${times}` : ''}`;
}

/**
 * Cuts foreign text into what can be shown as it is and the characters that
 * must be drawn as tokens, in order and without loss.
 */
export function segments(
  text: string,
  shape: Shape = 'text',
  odd: readonly Odd[] = [],
  hiding: Hiding = nothingHidden,
): Segment[] {
  const hides = hiding.marker !== '' || hiding.revealed.length > 0;
  const secrets = hides ? placesOf(text, hiding) : [];
  if (secrets.length > 0) return overlaid(segments(text, shape, odd), secrets);
  if (odd.length === 0 && isPlain(text, shape)) return [plain(text)];
  const found: Segment[] = [];
  let from = 0;
  for (const [index, characters, name] of told(text, shape, odd)) {
    if (index < from) continue;
    if (index > from) found.push(plain(text.slice(from, index)));
    if (shape === 'code' && characters === '\n') found.push({ text: characters, code: '', name, broken: true });
    else found.push({ text: characters, code: codeOf(characters), name });
    from = index + characters.length;
  }
  if (from < text.length) found.push(plain(text.slice(from)));
  return found;
}

// What was revealed is text like any other, and is told apart; what is hidden is one piece.
function overlaid(parts: Segment[], secrets: ReturnType<typeof placesOf>): Segment[] {
  const found: Segment[] = [];
  let from = 0;
  for (const part of parts) {
    const to = from + part.text.length;
    let at = from;
    for (const secret of secrets) {
      if (secret.to <= at || secret.from >= to) continue;
      if (secret.from > at) found.push({ ...part, text: part.text.slice(at - from, secret.from - from) });
      const end = Math.min(secret.to, to);
      const inside = part.text.slice(Math.max(at, secret.from) - from, end - from);
      const last = found.at(-1);
      if (secret.shown) found.push({ ...part, text: inside, revealed: true });
      else if (last?.secret && secret.from < at) last.text += inside;
      else found.push({ text: inside, code: '', name: '', secret: true });
      at = end;
    }
    if (at < to) found.push(at === from ? part : { ...part, text: part.text.slice(at - from) });
    from = to;
  }
  return found;
}

/** How many characters of the text would not be seen. */
export function countHidden(text: string, shape: Shape = 'text'): number {
  if (isPlain(text, shape)) return 0;
  const found = tokens(text, shape);
  return shape === 'code' ? found.filter(([, character]) => character !== '\n').length : found.length;
}

/** Where a token stands, what it is drawn for, and what that is called. */
type Token = [index: number, character: string, name: string];

/**
 * What of a text is not drawn as it is, in order: what the desk found, and what is found here. Of
 * two that overlap the first counts.
 */
function told(text: string, shape: Shape, odd: readonly Odd[]): Token[] {
  const found = odd.map(({ at, length, name }): Token => [at, text.slice(at, at + length), name]);
  const here = isPlain(text, shape) ? [] : tokens(text, shape);
  return found.length ? [...found, ...here].toSorted((a, b) => a[0] - b[0]) : here;
}

/** The characters of a text that must be drawn as tokens, in order. */
function tokens(text: string, shape: Shape): Token[] {
  const found: Token[] = [];
  for (const match of text.matchAll(marks[shape])) {
    found.push([match.index, match[0], nameOf(match[0].codePointAt(0) ?? 0)]);
  }
  // What is in a file is not for telling things apart by their names.
  const alike = shape === 'text' ? [] : lookAlikes(text, shape === 'name');
  for (const { index, letter, like } of alike) found.push([index, letter, `looks like ${like}`]);
  return alike.length ? found.toSorted((a, b) => a[0] - b[0]) : found;
}

/** The text with each such character written out, for titles and names that are read aloud. */
export function spelled(text: string, shape: Shape = 'line'): string {
  return segments(text, shape)
    .map((part) => (part.code ? `[${part.code}]` : part.text))
    .join('');
}

function plain(text: string): Segment {
  return { text, code: '', name: '' };
}
