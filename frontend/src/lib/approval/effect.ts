import type { ApprovalCard, CommandMark } from '../bridge/dto';
import { joined, numbered } from '../ui/words';
import { quietEffects, shownDiffs } from './card';

/** One thing that several calls would do together. */
export interface Fact {
  words: string;
  /** What it is done to: foreign text, at most a few. */
  names: string[];
  /** How many more names there are. */
  more: number;
  /** It is what a person must not overlook. */
  flag: boolean;
}

/** What several calls would do together: a sentence, and facts about all of them. */
export interface Effect {
  sentence: string;
  facts: Fact[];
}

const maxNames = 3;
const runsCode = 'Runs code';
/** What a command does beyond what its own line tells. */
const reachesOn = new Set(['runs', 'obeys', 'privileged']);
const writes = new Set(['writes', 'removes']);

const distinct = <T>(all: T[]) => [...new Set(all)];
const marksOf = (card: ApprovalCard): CommandMark[] => card.listing.steps.flatMap((step) => step.marks);

function fact(words: string, flag: boolean, names: string[] = []): Fact {
  return { words, flag, names: names.slice(0, maxNames), more: Math.max(0, names.length - maxNames) };
}

/** Says what the calls of several cards would do together, made of what the cards hold. */
export function combinedEffect(cards: readonly ApprovalCard[]): Effect {
  return { sentence: sentenceOf(cards), facts: [...fileFacts(cards), ...otherFacts(cards), networkFact(cards)] };
}

function sentenceOf(cards: readonly ApprovalCard[]): string {
  const commands = cards.filter((card) => card.command);
  const changes = cards.filter((card) => !card.command && shownDiffs(card).length);
  const other = cards.length - commands.length - changes.length;
  const files = distinct(changes.flatMap((card) => shownDiffs(card).map((file) => file.absolute || file.path))).length;
  const said = joined([
    ...(commands.length ? [`run ${numbered(commandsOf(commands), 'command')}`] : []),
    ...(changes.length ? [`change ${numbered(files, 'file')}`] : []),
    ...(other ? [`make ${numbered(other, commands.length || changes.length ? 'other call' : 'call')}`] : []),
  ]);
  const sessions = distinct(cards.map((card) => card.row.sessionId)).length;
  return `${said[0]?.toUpperCase() ?? ''}${said.slice(1)} in ${numbered(sessions, 'session')}`;
}

/** How many commands are listed of the calls; one of which none is counts as one. */
function commandsOf(cards: readonly ApprovalCard[]): number {
  return cards.reduce((sum, { listing }) => sum + Math.max(1, listing.steps.length + listing.left), 0);
}

/** The files that the calls write, as far as they are named, by the path that they lie at. */
function written(cards: readonly ApprovalCard[]): string[] {
  return distinct(
    cards.flatMap((card) => [
      ...shownDiffs(card).map((file) => file.absolute || file.path),
      ...card.paths.filter((path) => path.access === 'write').map((path) => path.absolute || path.path),
      ...marksOf(card)
        .filter((mark) => writes.has(mark.effect) && mark.subject)
        .map((mark) => absoluteOf(card, mark.subject)),
    ]),
  );
}

/** A path of a list of commands by the place that the card names for it, so that it counts once. */
function absoluteOf(card: ApprovalCard, subject: string): string {
  return card.paths.find((path) => path.path === subject)?.absolute || subject;
}

function fileFacts(cards: readonly ApprovalCard[]): Fact[] {
  const marks = cards.flatMap(marksOf);
  const files = written(cards);
  const removed = distinct(marks.filter((mark) => mark.effect === 'removes').map((mark) => mark.subject));
  const outside = distinct([
    ...cards.flatMap((card) =>
      card.paths
        .filter((path) => path.zone === 'outside' || path.zone === 'own_home')
        .map((path) => path.absolute || path.path),
    ),
    ...cards.flatMap((card) =>
      marksOf(card)
        .filter((mark) => mark.outside && mark.subject)
        .map((mark) => absoluteOf(card, mark.subject)),
    ),
  ]);
  const places = distinct(cards.map((card) => card.row.workspace)).length;
  return [
    ...(files.length ? [fact(`Writes ${numbered(files.length, 'file')}`, false)] : []),
    ...(removed.length ? [fact('Removes', true, removed)] : []),
    ...(outside.length ? [fact('Outside the workspace:', true, outside)] : []),
    ...(places > 1 ? [fact(`In ${places} workspaces`, true)] : []),
  ];
}

/** What calls do that is neither a file nor a command, and what nobody can tell beforehand. */
function otherFacts(cards: readonly ApprovalCard[]): Fact[] {
  const effects = new Map<string, number>();
  for (const card of cards) {
    const effect = card.class.sideEffect;
    if (quietEffects.has(effect) || (effect === runsCode && card.command)) continue;
    effects.set(effect, (effects.get(effect) ?? 0) + 1);
  }
  const unknown = cards.filter((card) => ['dynamic', 'unread'].includes(card.listing.state)).length;
  const told = [...effects].map(([effect, n]) =>
    fact(n === cards.length && n === 1 ? effect : `${effect} (${numbered(n, 'call')})`, true),
  );
  const privileged = cards.filter((card) => marksOf(card).some((mark) => mark.effect === 'privileged')).length;
  return [
    ...told,
    ...(privileged ? [fact(`Acts with more rights (${numbered(privileged, 'call')})`, true)] : []),
    ...(unknown
      ? [
          fact(
            `What ${unknown === cards.length && unknown === 1 ? 'it does' : `${unknown} of them do`} is not known beforehand`,
            true,
          ),
        ]
      : []),
  ];
}

/** What the calls reach; that they reach nothing is said only where that is known of each. */
function networkFact(cards: readonly ApprovalCard[]): Fact {
  const hosts = distinct([
    ...cards.flatMap((card) =>
      marksOf(card)
        .filter((mark) => mark.effect === 'reaches')
        .map((mark) => mark.subject),
    ),
    ...cards.map((card) => hostOf(card.url)),
  ]).filter((host) => host);
  if (hosts.length) return fact('Reaches', true, hosts);
  return cards.every(staysHere) ? fact('Reaches no network', false) : fact('May reach the network', true);
}

function hostOf(url: string): string {
  try {
    return url ? new URL(url).host : '';
  } catch {
    return url;
  }
}

/** Whether it is known of a call that it reaches no other machine. */
function staysHere(card: ApprovalCard): boolean {
  const effect = card.class.sideEffect;
  if (!card.command) return quietEffects.has(effect);
  const marks = marksOf(card);
  const left = card.listing.left > 0 || card.listing.steps.some((step) => step.left > 0 || step.dynamic);
  return (
    card.listing.state === 'read' &&
    !left &&
    !marks.some((mark) => reachesOn.has(mark.effect) || mark.effect === 'reaches')
  );
}
