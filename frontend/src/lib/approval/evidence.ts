import type {
  AboutRow,
  ApprovalCard,
  ArgumentRow,
  Changed,
  CommandListing,
  FileDiff,
  OddRow,
  PathRow,
} from '../bridge/dto';
import { isFlagged, ownArguments, pathOf, shownDiffs } from './card';

/** What the blocks of a card are called where they lie below the fold. */
export const changedBlock = 'what was changed';
export const changeBlock = 'the change';
export const commandBlock = 'the command';
export const inputBlock = 'the text';
export const addressBlock = 'the address';
export const listBlock = 'the list of commands';
export const readingBlock = 'how it was read';
export const aboutBlock = 'how it runs';
export const argumentsBlock = 'the arguments';
export const pathsBlock = 'the paths';
export const exactBlock = 'the exact arguments';

/** A stretch of a card of which it is told whether its end was in view. Several files share a name, none an id. */
export interface Block {
  id: string;
  name: string;
}

/** A part of what a call would do, as a card draws it, with its blocks in the order in which they stand. */
export type Part =
  | { kind: 'changed'; changed: Changed; blocks: Block[] }
  | { kind: 'changes'; files: FileDiff[]; blocks: Block[] }
  | { kind: 'text'; label: string; text: string; odd: OddRow[]; blocks: Block[] }
  | { kind: 'listing'; listing: CommandListing; label: string; blocks: Block[] }
  | { kind: 'about'; facts: AboutRow[]; blocks: Block[] }
  | { kind: 'arguments'; rows: ArgumentRow[]; blocks: Block[] }
  | { kind: 'paths'; paths: PathRow[]; blocks: Block[] };

const called = (name: string): Block[] => [{ id: name, name }];

/** What a card shows of its call, from top to bottom. What draws it and what counts what was seen go by this alone. */
export function partsOf(card: ApprovalCard): Part[] {
  const files = shownDiffs(card);
  const texts = textsOf(card);
  const own = files.length ? [] : ownArguments(card);
  const paths = pathsOf(card, files, own);
  const parts: Part[] = [];
  if (card.changed.by) parts.push({ kind: 'changed', changed: card.changed, blocks: called(changedBlock) });
  if (files.length) {
    parts.push({
      kind: 'changes',
      files,
      blocks: files.map((_, i) => ({ id: `${changeBlock} ${i}`, name: changeBlock })),
    });
  }
  parts.push(...texts);
  if (card.about.length) parts.push({ kind: 'about', facts: card.about, blocks: called(aboutBlock) });
  // Where nothing else shows what the call is about, it is said that it takes no arguments.
  if (own.length || (!files.length && !texts.length)) {
    parts.push({ kind: 'arguments', rows: own, blocks: called(argumentsBlock) });
  }
  if (paths.length) parts.push({ kind: 'paths', paths, blocks: called(pathsBlock) });
  return parts;
}

/** The blocks of a card, from top to bottom. */
export const blocksIn = (card: ApprovalCard): Block[] => partsOf(card).flatMap((part) => part.blocks);

/** The names of which every block was in view to its end, told by the ids of those that were. */
export function seenNames(blocks: readonly Block[], ended: ReadonlySet<string>): string[] {
  const missed = new Set(blocks.filter(({ id }) => !ended.has(id)).map(({ name }) => name));
  return [...new Set(blocks.map(({ name }) => name))].filter((name) => !missed.has(name));
}

/** The names of the blocks that must have been in view to their end before the card is allowed. */
export function blocksToSee(card: ApprovalCard): string[] {
  if (!card.mustSee) return [];
  const must = [commandBlock, inputBlock, listBlock, readingBlock];
  return blocksIn(card)
    .map(({ name }) => name)
    .filter((name) => must.includes(name));
}

/** The texts of a call that are shown in full, and after the command what was read of it. */
function textsOf(card: ApprovalCard): Part[] {
  const { listing } = card;
  const listed = listing.steps.length > 0;
  const parts: Part[] = [];
  const add = (label: string, text: string, name: string, odd: OddRow[] = []) => {
    if (text) parts.push({ kind: 'text', label, text, odd, blocks: called(name) });
  };
  add('Full command', card.command, commandBlock, card.odd);
  if (card.command && listing.state) {
    const [label, name] = listed ? ['Read as', listBlock] : ['How it was read', readingBlock];
    parts.push({ kind: 'listing', listing, label, blocks: called(name) });
  }
  add('Text that it is sent', card.input, inputBlock);
  add('Address', card.url, addressBlock);
  return parts;
}

/** The paths that no other part tells: those that stand in the arguments, the facts or the list of commands, or head a plain diff, are not told twice. */
function pathsOf(card: ApprovalCard, files: FileDiff[], own: ArgumentRow[]): PathRow[] {
  if (files.length) return card.paths.filter(isFlagged);
  const named = new Set(card.listing.steps.flatMap((step) => step.marks.map((mark) => mark.subject)));
  const told = (path: PathRow) =>
    (named.has(path.path) && !path.linked) ||
    own.some((row) => pathOf(row, [path])) ||
    (!isFlagged(path) && card.about.some((fact) => fact.text === path.absolute));
  return card.paths.filter((path) => !told(path));
}

/** Marks the element of a block, so that whoever measures finds it. */
export const markedAs = (block: Block | undefined) => ({ 'data-block': block?.name, 'data-part': block?.id });
