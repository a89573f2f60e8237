import type { AboutRow, ApprovalCard, ArgumentRow, FileDiff, OddRow, PathRow } from '../bridge/dto';
import { addressBlock, commandBlock, inputBlock, isFlagged, ownArguments, pathOf } from './card';

/** A text of a call that is shown in full. */
export interface EvidenceText {
  label: string;
  /** What it is called where it lies below the fold. */
  block: string;
  text: string;
  odd: OddRow[];
}

/** What a call would do, in the parts in which it is shown. A part without content is not drawn. */
export interface Evidence {
  changes: FileDiff[];
  texts: EvidenceText[];
  /** Whether the commands of the command line are listed. */
  listed: boolean;
  about: AboutRow[];
  /** The arguments that no other part shows; null where other parts show all. */
  args: ArgumentRow[] | null;
  /** The paths that no other part tells. */
  paths: PathRow[];
}

/** Sets out what a card shows of its call. */
export function evidenceOf(card: ApprovalCard): Evidence {
  const changes = card.preview === 'diff' ? card.diffs : [];
  const texts = [
    { label: 'Full command', block: commandBlock, text: card.command, odd: card.odd },
    { label: 'Text that it is sent', block: inputBlock, text: card.input, odd: [] },
    { label: 'Address', block: addressBlock, text: card.url, odd: [] },
  ].filter((one) => one.text);
  const own = changes.length ? [] : ownArguments(card);
  const { steps } = card.listing;
  const named = new Set(steps.flatMap((step) => step.marks.map((mark) => mark.subject)));
  // A path that stands in the arguments, the facts or the list of commands, or heads a plain diff, is not told twice.
  const told = (path: PathRow) =>
    (named.has(path.path) && !path.linked) ||
    own.some((row) => pathOf(row, [path])) ||
    (!isFlagged(path) && card.about.some((fact) => fact.text === path.absolute));
  return {
    changes,
    texts,
    listed: steps.length > 0,
    about: card.about,
    args: own.length || (!changes.length && !texts.length) ? own : null,
    paths: card.paths.filter((path) => (changes.length ? isFlagged(path) : !told(path))),
  };
}
