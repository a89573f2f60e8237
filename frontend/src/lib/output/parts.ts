import type { OutputHidden } from '../bridge/dto';
import { line as readLine, maxColumns } from './ansi';
import { segments } from '../ui/visible';
import { type Pen, plainPen } from './pen';

/** A part of a line: text in one look, or a run of bytes that are no text. */
export interface Part {
  text: string;
  /** Class names, "" for plain text. */
  look: string;
  /** The bytes, "" for text. */
  hex: string;
  /** How many bytes the run has. */
  bytes: number;
  /** Nothing of the text needs a sign to be seen: it can be drawn as it is. */
  plain: boolean;
  /** Which match it is part of, counted in its line from 0; -1 for none. */
  match: number;
}

const textPart = { hex: '', bytes: 0, match: -1 };

const isPlain = (text: string) => segments(text, 'text').every((one) => !one.code);

/** Reads a line as a terminal would, or as it is. The answer has the pen for the line after it. */
export function partsOf(
  text: string,
  hidden: readonly OutputHidden[],
  raw: boolean,
  pen: Pen = plainPen,
): { parts: Part[]; pen: Pen } {
  const parts: Part[] = [];
  const put = (piece: string) => {
    if (raw) {
      if (piece) parts.push({ ...textPart, text: piece, look: '', plain: isPlain(piece) });
      return;
    }
    // What is drawn of one line is bounded, so a longer piece is read in several.
    for (let at = 0; at < piece.length; at += maxColumns) {
      const read = readLine(piece.slice(at, at + maxColumns), pen);
      parts.push(...read.runs.map((run) => ({ ...textPart, ...run, plain: isPlain(run.text) })));
      pen = read.pen;
    }
  };
  let from = 0;
  for (const { at, bytes, hex } of hidden) {
    put(text.slice(from, at));
    parts.push({ text: '', look: '', hex, bytes, plain: false, match: -1 });
    from = at + 1;
  }
  put(text.slice(from));
  return { parts, pen };
}

/** What a run of bytes says of itself. */
export function hiddenWords({ bytes, hex }: Part): string {
  return `${bytes} ${bytes === 1 ? 'byte that is' : 'bytes that are'} not text: ${hex}`;
}

/** The parts with each match of the words as parts of its own. Nothing is looked for without words. */
export function marked(parts: readonly Part[], words: string, exact: boolean): readonly Part[] {
  if (words === '') return parts;
  const whole = parts.map((part) => part.text || '\0').join('');
  const places = placesOf(whole, words, exact);
  if (places.length === 0) return parts;
  const found: Part[] = [];
  let at = 0;
  for (const part of parts) {
    const length = part.hex ? 1 : part.text.length;
    if (part.hex) found.push(part);
    else found.push(...cutAt(part, at, places, words.length));
    at += length;
  }
  return found;
}

function placesOf(whole: string, words: string, exact: boolean): number[] {
  const fold = (text: string) => {
    const low = text.toLowerCase();
    return exact || low.length !== text.length ? text : low;
  };
  const [text, needle] = [fold(whole), fold(words)];
  const places: number[] = [];
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) places.push(at);
  return places;
}

// Cuts one part, which begins at a place of its line, where matches begin and end.
function cutAt(part: Part, begin: number, places: number[], length: number): Part[] {
  const cut: Part[] = [];
  const end = begin + part.text.length;
  let at = begin;
  const put = (to: number, match: number) => {
    if (to > at) cut.push({ ...part, text: part.text.slice(at - begin, to - begin), match });
    at = Math.max(at, to);
  };
  places.forEach((place, match) => {
    if (place + length <= begin || place >= end) return;
    put(Math.max(place, begin), -1);
    put(Math.min(place + length, end), match);
  });
  put(end, -1);
  return cut;
}
