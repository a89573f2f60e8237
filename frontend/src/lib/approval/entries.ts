import type { ApprovalRow, Snapshot, TrustQuestion } from '../bridge/dto';

/** One thing in the inbox that waits for a person. */
export type Entry =
  { kind: 'call'; key: string; row: ApprovalRow } | { kind: 'trust'; key: string; question: TrustQuestion };

export const callKey = (id: string) => `call:${id}`;
export const trustKey = (root: string) => `trust:${root}`;

function within(workspace: string, question: TrustQuestion): boolean {
  const { root } = question;
  return workspace === question.workspace || workspace === root || workspace.startsWith(`${root.replace(/\/$/, '')}/`);
}

/** The inbox, oldest first; a trust question stands before every call of its workspace. */
export function entriesOf(snapshot: Snapshot): Entry[] {
  const calls = snapshot.approvals.filter((row) => row.status === 'pending');
  const dated: { at: number; order: number; entry: Entry }[] = calls.map((row) => ({
    at: Date.parse(row.createdAt),
    order: 1,
    entry: { kind: 'call', key: callKey(row.id), row },
  }));
  for (const question of snapshot.trust) {
    const behind = calls.filter((row) => within(row.workspace, question)).map((row) => Date.parse(row.createdAt));
    dated.push({
      at: Math.min(Date.parse(question.createdAt), ...behind),
      order: 0,
      entry: { kind: 'trust', key: trustKey(question.root), question },
    });
  }
  return dated.sort((a, b) => a.at - b.at || a.order - b.order).map(({ entry }) => entry);
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
  const fresh = new Map(now.map((entry) => [entry.key, entry]));
  const held = shown.map((entry) => ({ entry: fresh.get(entry.key) ?? entry, gone: !fresh.has(entry.key) }));
  const known = new Set(shown.map((entry) => entry.key));
  return [...held, ...now.filter((entry) => !known.has(entry.key)).map((entry) => ({ entry, gone: false }))];
}

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
