import type { ApprovalCard, ArgumentRow, Changed, FileDiff, OfferRow, PathRow } from '../bridge/dto';
import { countHidden } from '../ui/visible';

/**
 * Whether an answer would be about the same thing. Where it would not, the card counts as a
 * new one and takes no answer at first.
 */
export function sameSubstance(before: ApprovalCard, now: ApprovalCard): boolean {
  const parts = substance(now);
  // What was read again shares what did not change, and a change of many lines is long.
  return substance(before).every((part, i) => part === parts[i] || JSON.stringify(part) === JSON.stringify(parts[i]));
}

function substance(card: ApprovalCard): unknown[] {
  const { row, hash, canonical, diffs, command, url, input, about, paths, hold, moved, note, offers, restricted } =
    card;
  return [
    row.id,
    row.status,
    row.risk,
    row.verb,
    ...[hash, canonical, diffs, command, url, input, about, paths, hold, moved, note, offers, restricted],
  ];
}

/** The path facts of an argument whose value is one. */
export function pathOf(argument: ArgumentRow, paths: PathRow[]): PathRow | undefined {
  return paths.find(
    (path) => argument.value !== '' && (path.path === argument.value || path.absolute === argument.value),
  );
}

/** Where a path lies, in words; "" inside the workspace, which needs none. */
export function zoneWords(path: PathRow): string {
  const zones: Record<string, string> = {
    workspace: '',
    output: 'Kept output',
    own_home: 'Countersign’s own folder',
    outside: 'Outside the workspace',
  };
  const zone = zones[path.zone] ?? 'Not known where';
  const through = path.linked ? 'through a link' : '';
  if (!zone) return path.linked ? 'Reached through a link' : '';
  return through ? `${zone}, ${through}` : zone;
}

/** Whether a path is to be flagged. */
export function isFlagged(path: PathRow): boolean {
  return path.linked || (path.zone !== 'workspace' && path.zone !== 'output');
}

const hostEffect = 'Reaches this machine outside the workspace';
/** What a quiet call does; everything else is a reason to look twice. */
export const quietEffects: ReadonlySet<string> = new Set([
  'Changes nothing',
  'Reads the workspace',
  'Writes to the workspace',
  '',
]);

/**
 * Why a high or critical card is loud, in one sentence made of facts that the
 * card holds.
 */
export function loudReasons(card: ApprovalCard): string {
  const reasons = [...card.dangers];
  const outside = card.paths.filter((path) => path.zone === 'outside' || path.zone === 'own_home');
  if (outside.some((path) => path.access === 'write')) reasons.push('writes outside the workspace');
  else if (outside.length) reasons.push('reads outside the workspace');
  if (card.paths.some((path) => path.linked)) reasons.push('follows a link');
  const effect = card.class.sideEffect;
  const told = outside.length > 0 && effect === hostEffect;
  if (!quietEffects.has(effect) && !told) reasons.push(lowerFirst(effect));
  const hidden = hiddenCharacters(card);
  if (hidden) reasons.push(`holds ${hidden} ${unseenCharacters(card, hidden)}`);
  const said = reasons.join(', ');
  if (card.restricted) return `Restricted: ${said || 'it always asks, and once only'}.`;
  if (!said) return '';
  return `${said[0]?.toUpperCase()}${said.slice(1)}.`;
}

function unseenCharacters({ odd }: ApprovalCard, count: number): string {
  const noun = count === 1 ? 'character' : 'characters';
  if (!odd.some(({ name }) => name.includes('looks like'))) return `invisible ${noun}`;
  return `${noun} that cannot be seen or ${count === 1 ? 'looks' : 'look'} like another`;
}

function lowerFirst(words: string): string {
  return `${words[0]?.toLowerCase()}${words.slice(1)}`;
}

/** The changes that a card shows. */
export const shownDiffs = (card: ApprovalCard): FileDiff[] => (card.preview === 'diff' ? card.diffs : []);

/** The arguments that the card does not show in full elsewhere. */
export function ownArguments(card: ApprovalCard): ArgumentRow[] {
  const whole = [card.command, card.input, card.url].filter((text) => text);
  return card.arguments.filter((one) => !whole.includes(one.value));
}

/** Who changed the arguments since the caller sent them; "" where nobody did. */
export function changedWords({ by }: Changed): string {
  const words: Record<string, string> = {
    '': '',
    you: 'Changed by you',
    hook: 'Changed by a hook',
    both: 'Changed by a hook and by you',
  };
  return words[by] ?? 'Changed';
}

/** What of a card was not in view yet, in words. */
export function unseenWords(blocks: readonly string[]): string {
  return `Not seen yet: the end of ${blocks.join(' and of ')}.`;
}

/** What is said where some changes are left out. */
export const partialOnce = 'Once only: some changes are left out.';
export const noneKept = 'Every change is left out. Deny it instead, or keep one.';

/** Whether a part of the call can be allowed for longer than this once. */
export const mayGrant = (card: ApprovalCard): boolean => card.offers.some(isOpen);
export const isOpen = (offer: OfferRow): boolean => offer.choices.length > 0 && !offer.covered;

/** The odd characters of a command by their names, the commonest first. */
export function oddWords(card: ApprovalCard): string {
  const names = new Map<string, number>();
  for (const { at, length, name } of card.odd) {
    names.set(name, (names.get(name) ?? 0) + [...card.command.slice(at, at + length)].length);
  }
  return [...names]
    .toSorted((a, b) => b[1] - a[1])
    .map(([name, count]) => (count > 1 ? `${name} (${count})` : name))
    .join('; ');
}

/** How many characters of the command can be missed or taken for others. */
export function countOdd({ odd, command }: Pick<ApprovalCard, 'odd' | 'command'>): number {
  return odd.reduce((sum, { at, length }) => sum + [...command.slice(at, at + length)].length, 0);
}

/** How many characters of what decides this call cannot be seen. */
function hiddenCharacters(card: ApprovalCard): number {
  const shown = [card.odd.length ? '' : card.command, card.url, card.input, ...card.about.map((fact) => fact.text)];
  if (!shownDiffs(card).length) {
    shown.push(
      ...ownArguments(card)
        .filter((one) => !pathOf(one, card.paths))
        .map((argument) => argument.value),
    );
  }
  // What a command names stands in its text as well.
  const paths = card.command ? [] : card.paths;
  const inPaths = paths.reduce((sum, path) => sum + countHidden(path.path, 'path'), 0);
  return shown.reduce((sum, text) => sum + countHidden(text), inPaths + countOdd(card));
}

/** What became of the caller, and what an answer is still good for; "" while it is there. */
export function leftWords(card: ApprovalCard): { what: string; then: string } | null {
  if (!card.row.callerLeft) return null;
  const what = card.row.leftWhy === 'interrupted' ? 'The call was interrupted.' : 'The caller left.';
  return { what, then: 'Nothing runs by itself: an answer is kept for the same call in this session, and used once.' };
}

/** The most characters of a denial's words that are kept. */
export const maxWords = 2_000;

/** Whether a denial can be given with these words: there are some, and all of them are kept. */
export function mayTell(words: string): boolean {
  return words.trim() !== '' && [...words].length <= maxWords;
}

/** The most characters of a denial's words that reach the caller. */
export function wordsLimit(callerKind: string): number {
  return callerKind === 'mcp' ? 300 : maxWords;
}

/** What a denial that stops does besides for who called, in a sentence; "" where it could do nothing. */
export function stopWords(callerKind: string): string {
  if (callerKind === 'agent') return 'The turn ends too, and its other waiting calls are cancelled.';
  if (callerKind === 'mcp') return 'A client ends its turn itself; its other calls that wait here are cancelled.';
  return '';
}
