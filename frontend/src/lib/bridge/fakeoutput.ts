import type {
  OutputFindRequest,
  OutputFound,
  OutputLines,
  OutputLinesRequest,
  OutputPiece,
  OutputPieceRequest,
  OutputRange,
  OutputRangeRequest,
  OutputView,
} from './dto';
import { BridgeError } from './bridge';

/** A text of the output store of a FakeBridge: what the desk would tell of it, and the text. */
export interface Printed {
  view: OutputView;
  text: string;
}

/** How many characters of a line the fake desk gives at once. */
const fakeColumns = 4096;

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function stateOf(text: string) {
  return { bytes: text.length, lines: linesOf(text).length, scanned: text.length };
}

function open({ view, text }: Printed): string {
  if (view.gone) throw new BridgeError('gone', 'This output is no longer kept.');
  return text;
}

export function viewOfOutput({ view, text }: Printed): OutputView {
  return structuredClone({ ...view, state: stateOf(view.gone ? '' : text) });
}

export function linesOfOutput(printed: Printed, { from, count }: OutputLinesRequest): OutputLines {
  const text = open(printed);
  const lines = linesOf(text)
    .slice(from - 1, from - 1 + count)
    .map((line, i) => ({
      number: from + i,
      text: line.slice(0, fakeColumns),
      hidden: [],
      bytes: line.length,
      shown: Math.min(line.length, fakeColumns),
    }));
  return { lines, state: stateOf(text) };
}

export function pieceOfOutput(printed: Printed, { line, from }: OutputPieceRequest): OutputPiece {
  const text = (linesOf(open(printed))[line - 1] ?? '').slice(from);
  const piece = text.slice(0, fakeColumns);
  return { text: piece, hidden: [], shown: piece.length, more: piece.length < text.length };
}

export function findOutput(printed: Printed, { words, exact }: OutputFindRequest): OutputFound {
  const text = open(printed);
  const fold = (part: string) => (exact ? part : part.toLowerCase());
  const lines = linesOf(text).flatMap((line, i) =>
    Array.from({ length: fold(line).split(fold(words)).length - 1 }, () => i + 1),
  );
  return { lines, place: `${text.length}:1`, done: true, scanned: text.length };
}

export function rangeOfOutput(printed: Printed, { from, to }: OutputRangeRequest): OutputRange {
  const lines = linesOf(open(printed)).slice(from - 1, to);
  return { text: lines.join('\n') + '\n', cut: false };
}
