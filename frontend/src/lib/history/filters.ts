import type { HistoryChoices, HistoryQuery } from '../bridge/dto';

/** How far back the list goes. */
export type Range = 'all' | 'today' | 'week' | 'month';

/** What is asked for. An empty list, or "all", asks for everything. */
export interface Filters {
  text: string;
  range: Range;
  workspaces: string[];
  tools: string[];
  endings: string[];
  deciders: string[];
  risks: string[];
  callers: string[];
}

export const noFilters: Filters = {
  text: '',
  range: 'all',
  workspaces: [],
  tools: [],
  endings: [],
  deciders: [],
  risks: [],
  callers: [],
};

/** The filters with several values, in the order in which they stand. */
export const lists = ['workspaces', 'tools', 'endings', 'deciders', 'risks', 'callers'] as const;

export type ListName = (typeof lists)[number] & keyof HistoryChoices;

export const listLabels: Record<ListName, string> = {
  workspaces: 'Workspace',
  tools: 'Tool',
  endings: 'Decision',
  deciders: 'Decided by',
  risks: 'Risk',
  callers: 'Caller',
};

export const ranges: { value: Range; label: string; days: number }[] = [
  { value: 'all', label: 'Any time', days: 0 },
  { value: 'today', label: 'Today', days: 1 },
  { value: 'week', label: 'Last 7 days', days: 7 },
  { value: 'month', label: 'Last 30 days', days: 30 },
];

/** Whether anything is left out. */
export function isFiltered(filters: Filters): boolean {
  return filters.text.trim() !== '' || filters.range !== 'all' || lists.some((name) => filters[name].length > 0);
}

/** Where a range begins: at midnight here, today counted as its last day. */
export function sinceOf(range: Range, nowMs: number): string {
  const days = ranges.find((one) => one.value === range)?.days ?? 0;
  if (!days) return '';
  const start = new Date(nowMs);
  start.setHours(0, 0, 0, 0);
  start.setDate(start.getDate() - days + 1);
  return start.toISOString();
}

/** What the desk is asked. */
export function queryOf(filters: Filters, nowMs: number, before = '', after = ''): HistoryQuery {
  const { text, range, ...values } = filters;
  return { ...values, text: text.trim(), since: sinceOf(range, nowMs), before, after };
}

/** A value in a list, or out of it when it was there. */
export function toggled(list: string[], value: string): string[] {
  return list.includes(value) ? list.filter((one) => one !== value) : [...list, value];
}
