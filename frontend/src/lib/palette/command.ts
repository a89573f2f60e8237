import type { Choice } from '../bridge/dto';
import { type Risk, riskWords } from '../ui/risk';
import { fit, termsOf } from './score';

/** A setting whose values are shown first, so that one Enter alone changes nothing. */
export interface Choosing {
  title: string;
  /** What holds for every value. */
  words: string;
  value: string;
  choices: Choice[];
  pick(value: string): void;
}

/** One line of the palette. Nothing here answers a card: a command shows, moves or sets something. */
export interface Command {
  id: string;
  group: string;
  /** In our own words. */
  title: string;
  /** Foreign text that names it, such as a session's title. */
  name?: string;
  /** Foreign text in the code font: a path, a command, a tool. */
  subject?: string;
  /** The subject is a path, whatever it looks like. */
  file?: boolean;
  /** Quiet text at the right. */
  detail?: string;
  /** How bad the wrong answer would be, where it leads to a card. */
  risk?: Risk;
  /** What it means, on a line of its own. */
  words?: string;
  /** The key that does the same, as on a key cap. */
  cap?: string;
  /** Further text that finds it. */
  also?: string;
  act: (() => void) | Choosing;
}

/** Commands of one kind, the best first, and how many there are beside those that are shown. */
export interface Found {
  name: string;
  commands: Command[];
  more: number;
}

// What is shown of one kind before anything was typed, and after.
const fewest = 6;
const most = 20;

/** How well a command fits the words of a query; 0 when one of them fits nowhere in it. */
export function fitOf(command: Command, terms: string[]): number {
  const fields: [string | undefined, number][] = [
    [command.title, 10],
    [command.name, 10],
    [command.subject, 9],
    [command.also, 5],
    [command.group, 4],
    [command.detail, 4],
    [command.risk && riskWords(command.risk), 4],
    [command.words, 2],
  ];
  let sum = 0;
  for (const term of terms) {
    const best = Math.max(...fields.map(([text, weight]) => (text ? fit(term, text) * weight : 0)));
    if (best === 0) return 0;
    sum += best;
  }
  return sum;
}

/** The commands that fit a query by group, the group of the best one first; without a query all, as they came. */
export function find(commands: Command[], query: string): Found[] {
  const terms = termsOf(query);
  const groups = new Map<string, { command: Command; fit: number }[]>();
  for (const command of commands) {
    const one = { command, fit: terms.length ? fitOf(command, terms) : 1 };
    if (one.fit === 0) continue;
    const group = groups.get(command.group);
    if (group) group.push(one);
    else groups.set(command.group, [one]);
  }
  const limit = terms.length ? most : fewest;
  const found = [...groups].map(([name, all]) => {
    all.sort((a, b) => b.fit - a.fit);
    const shown = all.slice(0, limit);
    return {
      name,
      commands: shown.map((one) => one.command),
      more: all.length - shown.length,
      fit: shown[0]?.fit ?? 0,
    };
  });
  return found.sort((a, b) => b.fit - a.fit).map(({ name, commands, more }) => ({ name, commands, more }));
}
