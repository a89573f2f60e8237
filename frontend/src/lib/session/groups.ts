import type { SessionRow } from '../bridge/dto';

/** Sessions of one workspace. */
export interface Group {
  workspace: string;
  name: string;
  sessions: SessionRow[];
}

/** The sessions by workspace, newest first in each, the workspace with the newest session on top. */
export function groupsOf(sessions: SessionRow[]): Group[] {
  const groups = new Map<string, Group>();
  const newest = [...sessions].sort((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt));
  for (const session of newest) {
    const { workspace } = session;
    const name = workspace.replace(/\/+$/, '').split('/').pop() || workspace;
    const group = groups.get(workspace) ?? { workspace, name, sessions: [] };
    group.sessions.push(session);
    groups.set(workspace, group);
  }
  return [...groups.values()];
}

/**
 * The groups in the order in which they are shown already, each session with its newest
 * state: what came since is left out, and what has gone keeps its place as it was, so that
 * nothing moves under a pointer.
 */
export function heldGroups(shown: Group[], now: Group[]): Group[] {
  const fresh = new Map(now.flatMap((group) => group.sessions).map((one) => [one.id, one]));
  return shown.map((group) => ({ ...group, sessions: group.sessions.map((one) => fresh.get(one.id) ?? one) }));
}
