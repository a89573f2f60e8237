import type { Choice, HistoryChoices, HistoryPage, HistoryQuery, HistoryRow } from './dto';

const pageSize = 100;

const endings: Record<string, string> = {
  proposed: 'waiting',
  waiting_for_approval: 'waiting',
  authorized: 'running',
  unavailable: 'failed',
};

function deciderOf(row: HistoryRow): string {
  if (/grant/.test(row.by)) return 'grant';
  if (/by you$/.test(row.by)) return 'person';
  return /rules|no approval/.test(row.by) ? 'rules' : 'nobody';
}

/** A page of rows, filtered as the desk would do it. */
export function pageOfHistory(rows: HistoryRow[], query: HistoryQuery): HistoryPage {
  const text = query.text.trim().toLowerCase();
  const has = (list: string[], value: string) => list.length === 0 || list.includes(value);
  const end = query.before ? rows.findIndex((row) => row.cursor === query.before) + 1 : 0;
  const start = query.after ? rows.findIndex((row) => row.cursor === query.after) : rows.length;
  const wanted = rows
    .slice(end, start)
    .filter(
      (row) =>
        has(query.tools, row.call.toolId) &&
        has(query.endings, endings[row.call.state] ?? row.call.state) &&
        has(query.deciders, deciderOf(row)) &&
        has(query.risks, row.risk) &&
        has(query.workspaces, row.workspace) &&
        has(query.callers, row.caller) &&
        (!query.since || Date.parse(row.call.at) >= Date.parse(query.since)) &&
        [row.title, row.caller, row.call.toolId, row.call.subject, row.words].join('\n').toLowerCase().includes(text),
    );
  const page = wanted.slice(0, pageSize);
  const last = page.at(-1);
  const more = wanted.length > pageSize && last;
  return { rows: page, next: more ? last.cursor : '', reachedAt: more ? last.call.at : '' };
}

/** What rows can be asked for. */
export function choicesOf(rows: HistoryRow[]): HistoryChoices {
  const of = (value: (row: HistoryRow) => string): Choice[] =>
    [...new Set(rows.map(value))].sort().map((one) => ({ value: one, label: one, words: '' }));
  const named = (...pairs: [string, string][]): Choice[] =>
    pairs.map(([value, label]) => ({ value, label, words: '' }));
  return {
    tools: of((row) => row.call.toolId),
    endings: named(
      ['succeeded', 'Done'],
      ['failed', 'Failed'],
      ['denied', 'Denied'],
      ['expired', 'No answer in time'],
      ['cancelled', 'Cancelled'],
      ['uncertain', 'Outcome unknown'],
      ['waiting', 'Waiting'],
      ['running', 'Running'],
    ),
    deciders: named(['person', 'You'], ['rules', 'The rules'], ['grant', 'A grant'], ['nobody', 'Nobody']),
    risks: named(['low', 'Low'], ['medium', 'Medium'], ['high', 'High'], ['critical', 'Critical']),
    workspaces: of((row) => row.workspace).map((one) => ({
      ...one,
      label: one.value.split('/').pop() || one.value,
      words: one.value,
    })),
    callers: of((row) => row.caller),
  };
}
