import type { SessionRow, SessionView, TimelineItem } from '../bridge/dto';

/** A session's timeline as far as it was read, oldest first. */
export interface Timeline {
  id: string;
  items: TimelineItem[];
  /** Cursor of the page before, "" at the start. */
  before: string;
}

/**
 * Takes the newest page in. What was read before it stays, unless the two no
 * longer touch: then lines are missing between them and the page stands alone.
 */
export function takeNewest(timeline: Timeline | null, view: SessionView): Timeline {
  const fresh: Timeline = { id: view.session.id, items: view.items, before: view.before };
  if (!timeline || timeline.id !== fresh.id || view.items.length === 0) return fresh;
  const first = view.items[0];
  const at = timeline.items.findIndex((item) => item.id === first?.id);
  if (at < 0) return fresh;
  return {
    ...fresh,
    items: [...timeline.items.slice(0, at), ...view.items],
    before: at > 0 ? timeline.before : view.before,
  };
}

/** Puts an older page before what was read. */
export function takeOlder(timeline: Timeline, view: SessionView): Timeline {
  const known = new Set(timeline.items.map((item) => item.id));
  const older = view.items.filter((item) => !known.has(item.id));
  return { ...timeline, items: [...older, ...timeline.items], before: view.before };
}

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
