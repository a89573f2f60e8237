import type { Changes, FindResult, PageRequest, SessionView, TimelineItem } from './dto';

const pageSize = 100;

/** A page of a session whose view holds all of its lines, as the desk would cut it. */
export function pageOf(view: SessionView, request: PageRequest): SessionView {
  const { items } = view;
  const at = items.findIndex((item) => item.cursor === request.cursor);
  const end = request.where === 'before' && request.cursor ? at : items.length;
  const [from, to] = {
    after: [at + 1, Math.min(at + 1 + pageSize, items.length)] as const,
    around: [Math.max(at + 1 - pageSize / 2, 0), Math.min(at + 1 + pageSize / 2, items.length)] as const,
    before: [Math.max(end - pageSize, 0), end] as const,
  }[request.where as 'after' | 'around' | 'before'];
  return {
    ...view,
    items: items.slice(from, to),
    before: from > 0 ? (items[from]?.cursor ?? '') : '',
    after: to < items.length ? (items[to - 1]?.cursor ?? '') : '',
  };
}

/** Puts a line into a view, in the place of the one with its id or at the end. */
export function tell(view: SessionView, item: TimelineItem): SessionView {
  const at = view.items.findIndex((one) => one.id === item.id);
  const items = at < 0 ? [...view.items, item] : view.items.with(at, item);
  return { ...view, items, seq: String(Number(view.seq) + 1) };
}

/** What changed since a number, of what was told so far. */
export function changesSince(view: SessionView, told: { seq: number; id: string }[], since: number): Changes {
  const ids = new Set(told.filter((one) => one.seq > since).map((one) => one.id));
  const missed = ids.size > 200;
  return {
    session: view.session,
    items: missed ? [] : view.items.filter((item) => ids.has(item.id)),
    seq: view.seq,
    missed,
  };
}

/** Where words stand in a view, the latest first. */
export function findIn(view: SessionView, words: string): FindResult {
  const wanted = words.toLowerCase();
  const texts = (item: TimelineItem) => `${item.message?.text ?? ''}\n${item.call?.subject ?? ''}`.toLowerCase();
  const matches = view.items.filter((item) => texts(item).includes(wanted)).reverse();
  return {
    matches: matches.slice(0, 500).map(({ id, cursor }) => ({ id, cursor })),
    total: matches.length,
    searched: 'Looked through everything that was said, and the tool and the beginning of each argument of every call.',
  };
}
