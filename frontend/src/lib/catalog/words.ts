import type { SetRow, ToolRow } from '../bridge/dto';
import { bytes, counted as grouped, span } from '../ui/time';

/** A count with its noun: "1 tool", "1,204 calls". */
export function counted(count: number | string, noun: string): string {
  return `${grouped(count)} ${noun}${String(count) === '1' ? '' : 's'}`;
}

/** What a set is said to be that cannot be used as it is. */
export const setStates: Record<string, string> = {
  skipped: 'Skipped',
  hidden: 'Hidden',
  untrusted: 'Workspace not trusted',
  unavailable: 'Unavailable',
};

/** How many notes of a set are shown before the rest is asked for. */
export const notesShown = 3;

/** What a list holds: "3 sets, 5 tools, 1 set off, 1 set skipped". */
export function countWords(sets: SetRow[]): string {
  const tools = sets.reduce((sum, set) => sum + set.tools.length, 0);
  const of = (words: string, holds: (set: SetRow) => boolean) => {
    const count = sets.filter(holds).length;
    return count ? `${counted(count, 'set')} ${words}` : '';
  };
  return [
    counted(sets.length, 'set'),
    counted(tools, 'tool'),
    of('off', (set) => set.status === 'disabled'),
    of('skipped', (set) => set.status === 'skipped'),
    of('changed', (set) => set.changed),
  ]
    .filter(Boolean)
    .join(', ');
}

/** What a set is for, and how much of it is not offered. */
export function setWords(set: SetRow): string {
  const off = set.enabled || !set.tools.length ? '' : `Off: ${counted(set.tools.length, 'tool')}.`;
  const hidden = set.hiddenBy ? `The ${set.hiddenBy} set of the same name is used instead.` : '';
  return [set.words, off, hidden].filter(Boolean).join(' ');
}

const plain = (text: string) => text.replace(/\.0(?= )/, '');

/** What bounds a call: "10 s, then stopped. 50 KB and 2,000 lines to the model." */
export function limitWords(tool: ToolRow): string {
  const ms = Number(tool.class.timeoutMs);
  const most = Number(tool.class.maxBytes);
  const toModel = [plain(bytes(Number(tool.modelBytes))), counted(Number(tool.modelLines), 'line')].join(' and ');
  const said = [
    ms ? `${plain(span(ms))}, then ${tool.class.onTimeout.toLowerCase()}` : 'No time limit',
    `${toModel} to the model`,
    most ? `at most ${plain(bytes(most))} in all` : '',
  ].filter(Boolean);
  return `${said.join('. ').replace(/\. at/, ', at')}.`;
}
