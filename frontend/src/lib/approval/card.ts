import type { ApprovalCard, ArgumentRow, PathRow } from '../bridge/dto';
import { countHidden } from '../ui/visible';

/**
 * What an answer would be about. When it differs from what was shown a moment
 * ago, the card counts as a new one and takes no answer at first.
 */
export function substance(card: ApprovalCard): string {
  const { row, hash, canonical, diffs, command, url, input, about, paths, hold, moved, note, offerKey, restricted } =
    card;
  return JSON.stringify([
    row.id,
    row.status,
    row.risk,
    row.verb,
    ...[hash, canonical, diffs, command, url, input, about, paths, hold, moved, note, offerKey, restricted],
  ]);
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
// What a quiet call does; everything else is a reason to look twice.
const quietEffects = new Set(['Changes nothing', 'Reads the workspace', 'Writes to the workspace', '']);

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
  if (hidden) reasons.push(`holds ${hidden} invisible ${hidden === 1 ? 'character' : 'characters'}`);
  const said = reasons.join(', ');
  if (card.restricted) return `Restricted: ${said || 'it always asks, and once only'}.`;
  if (!said) return '';
  return `${said[0]?.toUpperCase()}${said.slice(1)}.`;
}

function lowerFirst(words: string): string {
  return `${words[0]?.toLowerCase()}${words.slice(1)}`;
}

/** The arguments that the card does not show in full elsewhere. */
export function ownArguments(card: ApprovalCard): ArgumentRow[] {
  const whole = [card.command, card.input, card.url].filter((text) => text);
  return card.arguments.filter((one) => !whole.includes(one.value));
}

/** How many characters of what decides this call cannot be seen. */
function hiddenCharacters(card: ApprovalCard): number {
  const shown = [card.command, card.url, card.input, ...card.about.map((fact) => fact.text)];
  if (!card.diffs.length) {
    shown.push(
      ...ownArguments(card)
        .filter((one) => !pathOf(one, card.paths))
        .map((argument) => argument.value),
    );
  }
  const paths = card.paths.reduce((sum, path) => sum + countHidden(path.path, 'path'), 0);
  return shown.reduce((sum, text) => sum + countHidden(text), paths);
}

/** What became of the caller, and what an answer is still good for; "" while it is there. */
export function leftWords(card: ApprovalCard): { what: string; then: string } | null {
  if (!card.row.callerLeft) return null;
  const what = card.row.leftWhy === 'interrupted' ? 'The call was interrupted.' : 'The caller left.';
  return { what, then: 'Nothing runs by itself: an answer is kept for the same call in this session, and used once.' };
}

/** The most characters of a denial's words that reach the caller. */
export function wordsLimit(callerKind: string): number {
  return callerKind === 'mcp' ? 300 : 2_000;
}
