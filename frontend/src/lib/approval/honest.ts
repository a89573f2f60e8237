import type { ApprovalCard } from '../bridge/dto';
import { countHidden } from '../ui/visible';
import { countOdd, pathOf, shownDiffs } from './card';
import { changeBlock, commandBlock, exactBlock, listBlock, type Part, partsOf } from './evidence';

/** What of a card is not plainly shown: folded away, hidden from eyes, without ink, or not there whole. */
export type Lack = 'folded' | 'redacted' | 'invisible' | 'cut';

/** How much of a card is not plainly shown in one way. */
export interface Unplain {
  lack: Lack;
  count: number;
  /** The blocks that it is in; none where it stands in the dock. */
  blocks: string[];
  /** It was opened, revealed, or come to. What is cut for good never is. */
  seen: boolean;
}

/** What the person did on the open card. */
export interface Looked {
  /** The blocks that were in view to their end. */
  seen: readonly string[];
  revealed: boolean;
  /** How many of the reasons are folded at this size, and whether they were opened. */
  folded: number;
  opened: boolean;
}

/** Everything on a card that is not plainly shown, with whether it was come to since. */
export function unplain(card: ApprovalCard, looked: Looked): Unplain[] {
  const { seen, revealed, folded, opened } = looked;
  const redacted = card.hidden.reduce((sum, row) => sum + row.count, 0);
  const invisible = invisibleIn(card);
  const count = [...invisible.values()].reduce((sum, one) => sum + one, 0);
  const cut = cutIn(card);
  const all: Unplain[] = [
    { lack: 'folded', count: folded, blocks: [], seen: opened },
    { lack: 'redacted', count: redacted, blocks: [], seen: revealed },
    {
      lack: 'invisible',
      count,
      blocks: [...invisible.keys()],
      seen: [...invisible.keys()].every((block) => seen.includes(block)),
    },
    { lack: 'cut', count: cut.count, blocks: cut.blocks, seen: cut.whole && seen.includes(commandBlock) },
  ];
  return all.filter((one) => one.count > 0);
}

/** How many characters of each block cannot be seen or pass for others. */
function invisibleIn(card: ApprovalCard): Map<string, number> {
  const counts = new Map<string, number>();
  for (const part of partsOf(card)) {
    const count = invisibleInPart(part, card);
    for (const { name } of count ? part.blocks.slice(0, 1) : []) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return counts;
}

function invisibleInPart(part: Part, card: ApprovalCard): number {
  const sum = <T>(all: readonly T[], count: (one: T) => number) => all.reduce((all, one) => all + count(one), 0);
  switch (part.kind) {
    case 'changes':
      return sum(part.files, (file) => countHidden(file.unified) + countHidden(file.path, 'path'));
    case 'text':
      return part.odd.length ? countOdd({ command: part.text, odd: part.odd }) : countHidden(part.text);
    case 'about':
      return sum(part.facts, (fact) => countHidden(fact.text));
    case 'arguments':
      return sum(part.rows, (row) => countHidden(row.value, pathOf(row, card.paths) ? 'path' : 'text'));
    case 'paths':
      return sum(part.paths, (path) => countHidden(path.path, 'path'));
    // What is listed of a command stands in it, and what became of the arguments in the other parts.
    case 'listing':
    case 'changed':
      return 0;
  }
}

/** How much is left out, where, and whether all of that stands in the full command. */
function cutIn(card: ApprovalCard): { count: number; blocks: string[]; whole: boolean } {
  const { steps, left: unlisted } = card.listing;
  const marks = steps.reduce((sum, step) => sum + step.left, 0);
  const undrawn = shownDiffs(card).filter((file) => !file.unified && file.additions + file.deletions > 0).length;
  const texts = card.canonicalLeft > 0 ? 1 : 0;
  const gone = marks + undrawn + texts;
  const blocks = [
    ...(undrawn ? [changeBlock] : []),
    ...(texts ? [exactBlock] : []),
    ...(marks ? [listBlock] : []),
    ...(unlisted ? [commandBlock] : []),
  ];
  return { count: unlisted + gone, blocks, whole: gone === 0 };
}

const done: Record<Lack, string> = { folded: 'opened', redacted: 'revealed', invisible: 'seen', cut: 'seen' };

/** One of them in words: "2 redacted", and once it was come to "2 redacted, revealed". */
export function unplainWords({ lack, count, seen }: Unplain): string {
  return seen ? `${count} ${lack}, ${done[lack]}` : `${count} ${lack}`;
}

/** Those that were not come to yet, in words; "" for none. */
export function stillWords(all: readonly Unplain[]): string {
  return all
    .filter((one) => !one.seen)
    .map(({ count, lack }) => `${count} ${lack}`)
    .join(', ');
}
