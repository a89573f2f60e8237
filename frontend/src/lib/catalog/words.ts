import type { SetRow, ToolRow } from '../bridge/dto';
import { bytes, counted as grouped, span } from '../ui/time';

/** A count with its noun: "1 tool", "1,204 calls". */
export function counted(count: number | string, noun: string): string {
  return `${grouped(count)} ${noun}${String(count) === '1' ? '' : 's'}`;
}

/** What a list holds: "3 sets, 5 tools, 1 set off". */
export function countWords(sets: SetRow[]): string {
  const tools = sets.reduce((sum, set) => sum + set.tools.length, 0);
  const off = sets.filter((set) => !set.enabled).length;
  return [counted(sets.length, 'set'), counted(tools, 'tool'), off ? `${counted(off, 'set')} off` : '']
    .filter(Boolean)
    .join(', ');
}

/** What a set is for, and how much of it is not offered. */
export function setWords(set: SetRow): string {
  const off = set.enabled ? '' : `Off: ${counted(set.tools.length, 'tool')}.`;
  return [set.words, off].filter(Boolean).join(' ');
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
