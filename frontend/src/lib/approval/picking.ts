import type { ApprovalRow } from '../bridge/dto';
import type { Entry } from './entries';

/** How many calls one answer is given to at most: more is nothing that a person reads in full. */
export const maxBatch = 50;

/** A call of the inbox. */
export type CallEntry = Entry & { kind: 'call' };

/** Why an entry cannot be answered together with others, "" when it can. */
export function refusalOf(entry: Entry): string {
  if (entry.kind === 'trust') return 'A question of trust is answered by itself.';
  return entry.row.alone || (entry.row.status === 'pending' ? '' : 'This call waits no more.');
}

/** Whether an entry may be answered together with others. */
export function isPickable(entry: Entry): entry is CallEntry {
  return refusalOf(entry) === '';
}

/** The picks with another one, or without it. */
export function toggled(picked: readonly string[], key: string): string[] {
  return picked.includes(key) ? picked.filter((one) => one !== key) : [...picked, key];
}

/** The picks with all that may be picked between two entries, both of them among it. */
export function ranged(entries: readonly Entry[], picked: readonly string[], from: string, to: string): string[] {
  const at = entries.findIndex((entry) => entry.key === to);
  const start = entries.findIndex((entry) => entry.key === from);
  const [first, last] = start < 0 ? [at, at] : [Math.min(start, at), Math.max(start, at)];
  const between = entries.slice(first, last + 1).filter(isPickable);
  return [...new Set([...picked, ...between.map((entry) => entry.key)])];
}

/** The entries of the same kind as one: the same tool, whoever calls it. */
export function kindOf(entries: readonly Entry[], key: string): CallEntry[] {
  const one = entries.find((entry) => entry.key === key);
  if (one?.kind !== 'call') return [];
  return entries.filter(isPickable).filter((entry) => entry.row.toolId === one.row.toolId);
}

/** What of a row decides about its call. Another one drops the selection. */
export function rowSubstance(row: ApprovalRow): string {
  const { id, sessionId, toolId, verb, subject, subjectLeft, risk, status, alone } = row;
  return JSON.stringify([id, sessionId, toolId, verb, subject, subjectLeft, risk, status, alone]);
}
