import type { HistoryPage, HistoryRow } from '../bridge/dto';

/** What the list draws: the heading of a day, or a call. */
export type Line = { kind: 'day'; id: string; at: string } | { kind: 'call'; id: string; row: HistoryRow };

const open = new Set(['proposed', 'waiting_for_approval', 'authorized', 'running']);

/** Whether a call can still change. */
function isOpen(row: HistoryRow): boolean {
  return open.has(row.call.state);
}

/** The calls under the days on which they were made. The first day has no line: it stands above the list. */
export function linesOf(rows: HistoryRow[]): Line[] {
  const lines: Line[] = [];
  // The day that the last row lies in. To find its ends is what costs, so rows are held against them.
  let [start, end] = [0, 0];
  for (const row of rows) {
    const at = Date.parse(row.call.at);
    if (at < start || at >= end) {
      start = new Date(at).setHours(0, 0, 0, 0);
      end = new Date(start).setHours(24);
      if (lines.length) lines.push({ kind: 'day', id: `day ${start}`, at: row.call.at });
    }
    lines.push({ kind: 'call', id: row.call.id, row });
  }
  return lines;
}

/** Puts a further page after what was read. */
export function takeMore(rows: HistoryRow[], page: HistoryPage): HistoryRow[] {
  // A page goes on where the last one ended, so only its edge could come twice.
  const known = new Set(rows.slice(-page.rows.length).map((row) => row.call.id));
  return [...rows, ...page.rows.filter((row) => !known.has(row.call.id))];
}

/** What the newest page says about rows that are shown. */
export interface News {
  /** The same rows as they are now: none moves, none comes or goes. */
  rows: HistoryRow[];
  /** How many newer ones there are, at least. */
  newer: number;
  /** Shown rows that can still change and that the page does not tell of: they no longer match. */
  unsaid: string[];
}

/** Holds the newest page against the rows that are shown. */
export function takeNews(rows: HistoryRow[], page: HistoryPage): News {
  const fresh = new Map(page.rows.map((row) => [row.call.id, row]));
  const top = rows[0];
  const at = page.rows.findIndex((row) => row.call.id === top?.call.id);
  const newer = at >= 0 ? at : page.rows.filter((row) => !top || isNewer(row, top)).length;
  return {
    rows: rows.map((row) => fresh.get(row.call.id) ?? row),
    newer,
    unsaid: rows.filter((row) => isOpen(row) && !fresh.has(row.call.id)).map((row) => row.call.id),
  };
}

function isNewer(row: HistoryRow, than: HistoryRow): boolean {
  const [at = 0, num = 0] = row.cursor.split('.').map(Number);
  const [thanAt = 0, thanNum = 0] = than.cursor.split('.').map(Number);
  return at > thanAt || (at === thanAt && num > thanNum);
}

/** Puts a row in the place of the one with its id. */
export function takeRow(rows: HistoryRow[], row: HistoryRow): HistoryRow[] {
  return rows.map((one) => (one.call.id === row.call.id ? row : one));
}
