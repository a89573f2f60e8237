import type { Changes, SessionView, TimelineItem } from '../bridge/dto';

/**
 * The lines of a session that the page holds: one stretch without a gap, oldest first. It is
 * bounded; what is far from what is read is let go and read again when it is come to.
 */
export interface Timeline {
  id: string;
  items: TimelineItem[];
  /** Cursor of the page before, "" at the start; and of the page after, "" at the end. */
  before: string;
  after: string;
  /** Up to which number of what happened the lines tell. */
  seq: string;
}

/** How many lines are held at most, apart from a page that is being put in. */
export const maxLines = 600;

/** The stretch that is one page alone. */
export function only(view: SessionView): Timeline {
  const { items, before, after, seq } = view;
  return { id: view.session.id, items, before, after, seq };
}

/**
 * Takes the newest page in. What was read before it stays, unless the two no
 * longer touch: then lines are missing between them and the page stands alone.
 */
export function takeNewest(timeline: Timeline | null, view: SessionView): Timeline {
  const fresh = only(view);
  const first = view.items[0];
  if (!timeline || timeline.id !== fresh.id || !first) return fresh;
  const at = timeline.items.findIndex((item) => item.id === first.id);
  if (at < 0) return fresh;
  const items = [...timeline.items.slice(0, at), ...view.items];
  return { ...fresh, items, before: at > 0 ? timeline.before : view.before };
}

/** Puts an older page before what was read. */
export function takeOlder(timeline: Timeline, view: SessionView): Timeline {
  const older = unknown(timeline, view.items);
  return {
    ...timeline,
    items: [...older, ...timeline.items],
    before: view.before,
    seq: earlier(timeline.seq, view.seq),
  };
}

/** Puts a newer page after what was read. */
export function takeNewer(timeline: Timeline, view: SessionView): Timeline {
  const newer = unknown(timeline, view.items);
  return { ...timeline, items: [...timeline.items, ...newer], after: view.after, seq: earlier(timeline.seq, view.seq) };
}

// Lines that were read at different times tell up to the earliest of them.
function earlier(a: string, b: string): string {
  return Number(a) <= Number(b) ? a : b;
}

function unknown(timeline: Timeline, items: TimelineItem[]): TimelineItem[] {
  const known = new Set(timeline.items.map((item) => item.id));
  return items.filter((item) => !known.has(item.id));
}

/** Lets go of lines past the bound, at the start or at the end. The same timeline when there are none. */
export function letGo(timeline: Timeline, side: 'start' | 'end', bound = maxLines): Timeline {
  const { items } = timeline;
  if (items.length <= bound) return timeline;
  if (side === 'start') {
    const kept = items.slice(items.length - bound);
    return { ...timeline, items: kept, before: kept[0]?.cursor ?? '' };
  }
  const kept = items.slice(0, bound);
  return { ...timeline, items: kept, after: kept.at(-1)?.cursor ?? '' };
}

/**
 * Takes in what changed: lines that are held get their new state, and new ones are put at
 * the end where the end is held. `added` counts those, `past` the new lines beyond what is held.
 */
export function takeChanges(timeline: Timeline, changes: Changes): { timeline: Timeline; added: number; past: number } {
  if (changes.items.length === 0) return { timeline: { ...timeline, seq: changes.seq }, added: 0, past: 0 };
  const fresh = new Map(changes.items.map((item) => [item.id, item]));
  const items = timeline.items.map((item) => {
    const now = fresh.get(item.id);
    fresh.delete(item.id);
    return now ?? item;
  });
  const last = timeline.items.at(-1);
  const newer = [...fresh.values()].filter((item) => !last || isAfter(item, last));
  const atEnd = timeline.after === '';
  return {
    timeline: { ...timeline, items: atEnd ? [...items, ...newer] : items, seq: changes.seq },
    added: atEnd ? newer.length : 0,
    past: atEnd ? 0 : newer.length,
  };
}

// Cursors are numbers in their order. One that is none is of a line that was never seen.
function isAfter(item: TimelineItem, last: TimelineItem): boolean {
  const [a, b] = [Number(item.cursor), Number(last.cursor)];
  return Number.isNaN(a) || Number.isNaN(b) || a > b;
}
