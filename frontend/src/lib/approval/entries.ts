import type { ApprovalRow, Snapshot, TrustQuestion } from '../bridge/dto';

/** One thing in the inbox that waits for a person. */
export type Entry =
  { kind: 'call'; key: string; row: ApprovalRow } | { kind: 'trust'; key: string; question: TrustQuestion };

export const callKey = (id: string) => `call:${id}`;
const trustKey = (root: string) => `trust:${root}`;

/** The entry of each row and of each question: what did not change is not drawn again. */
const made = new WeakMap<ApprovalRow | TrustQuestion, Entry>();

function callEntry(row: ApprovalRow): Entry {
  return known(made, row, () => ({ kind: 'call', key: callKey(row.id), row }));
}

function trustEntry(question: TrustQuestion): Entry {
  return known(made, question, () => ({ kind: 'trust', key: trustKey(question.root), question }));
}

function known<K extends WeakKey, V>(of: WeakMap<K, V>, key: K, make: () => V): V {
  let value = of.get(key);
  if (value === undefined) of.set(key, (value = make()));
  return value;
}

function within(workspace: string, question: TrustQuestion): boolean {
  const { root } = question;
  return workspace === question.workspace || workspace === root || workspace.startsWith(`${root.replace(/\/$/, '')}/`);
}

/** Whether nobody waits for the answer any more. */
export function isLeft(entry: Entry): boolean {
  return entry.kind === 'call' && entry.row.callerLeft;
}

const isAwaited = (row: ApprovalRow) => row.status === 'pending' && !row.callerLeft;

/** Of the calls that have not ended, how many wait for a person and how many are at work. */
export function underWay({ desk, approvals, trust }: Snapshot): { waiting: number; working: number } {
  const behind = trust.reduce((sum, question) => sum + question.waiting, 0);
  const waiting = approvals.filter(isAwaited).length + behind;
  // The desk is told a moment before what waits, so the one may be behind the other.
  return { waiting, working: Math.max(0, desk.running - waiting) };
}

/** Whether a session has something that waits for a person. */
export function waitsIn({ approvals, trust }: Snapshot, sessionId: string): boolean {
  return (
    approvals.some((row) => row.sessionId === sessionId && isAwaited(row)) ||
    trust.some((question) => question.sessionId === sessionId && question.waiting > 0)
  );
}

/**
 * The inbox: what somebody waits for, in the order in which it was asked, and below it the
 * calls whose caller left. A trust question stands before every call of its workspace.
 */
export function entriesOf(snapshot: Snapshot): Entry[] {
  const calls = snapshot.approvals.filter((row) => row.status === 'pending').map(callEntry);
  const found: Entry[] = calls.filter((entry) => !isLeft(entry));
  const questions = snapshot.trust.toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
  for (const question of questions) {
    const asked = Date.parse(question.createdAt);
    const at = found.findIndex(
      (entry) =>
        entry.kind === 'call' && (within(entry.row.workspace, question) || Date.parse(entry.row.createdAt) > asked),
    );
    found.splice(at < 0 ? found.length : at, 0, trustEntry(question));
  }
  return [...found, ...calls.filter(isLeft)];
}

/** An entry as a list shows it that is held still. `gone` says that it waits no more. */
export interface Shown {
  entry: Entry;
  gone: boolean;
}

/**
 * The entries in the places in which they are shown already: what came since stands below,
 * and what has gone keeps its place, so that nothing moves under a pointer.
 */
export function heldEntries(shown: Entry[], now: Entry[]): Shown[] {
  if (shown === now) return now.map(waits);
  const fresh = new Map(now.map((entry) => [entry.key, entry]));
  const places = new Set(shown.map((entry) => entry.key));
  const held = shown.map((entry) => {
    const still = fresh.get(entry.key);
    return still ? waits(still) : { entry, gone: true };
  });
  return [...held, ...now.filter((entry) => !places.has(entry.key)).map(waits)];
}

const waiting = new WeakMap<Entry, Shown>();

const waits = (entry: Entry) => known(waiting, entry, () => ({ entry, gone: false }));

/** The key of the entry `by` places away, staying within the list; "" in an empty one. */
export function neighbour(entries: Entry[], key: string, by: number): string {
  const at = entries.findIndex((entry) => entry.key === key);
  const to = at < 0 ? 0 : Math.min(Math.max(at + by, 0), entries.length - 1);
  return entries[to]?.key ?? '';
}

/**
 * Where to go once the entry `key` was answered: to the one that took its place
 * in the list, or to the last. The entry itself is passed over if it is still there.
 */
export function successor(before: Entry[], after: Entry[], key: string): string {
  const left = after.filter((entry) => entry.key !== key);
  const at = before.findIndex((entry) => entry.key === key);
  const following = before.slice(at + 1).find((entry) => left.some((other) => other.key === entry.key));
  return following?.key ?? left.at(-1)?.key ?? '';
}
