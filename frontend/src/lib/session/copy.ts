import type { CallDetail } from '../bridge/dto';
import type { Shell } from '../bridge/shell';
import { layerWords } from './layers';
import type { Opened, Tab } from './opened';

const copyFailed = 'It could not be copied: the clipboard may not be used here. Select the text and copy it by hand.';

/** The part of an opened call that is in view: a call without a change shows what it found or what came back instead. */
export function partOf(detail: CallDetail, tab: Tab): Exclude<Tab, ''> {
  const part = tab === 'diff' && !detail.diffs.length ? 'found' : tab || 'arguments';
  return part === 'found' && !hasFound(detail) ? 'output' : part;
}

/** Whether a call searched and found something. */
export function hasFound({ found }: CallDetail): boolean {
  return found.groups.length > 0 || found.files.length > 0;
}

/** The text of what is in view of an opened call. */
export function copyOf(detail: CallDetail, tab: Tab): string {
  switch (partOf(detail, tab)) {
    case 'found':
    case 'output':
      return detail.read.map((part) => part.text || part.handle).join('\n');
    case 'diff':
      return detail.diffs.map((diff) => diff.unified).join('\n');
    case 'decision':
      return detail.decision.map((why) => `${layerWords(why.layer)}: ${why.verdict}. ${why.text}`).join('\n');
    case 'arguments':
      return detail.arguments;
  }
}

/** Puts what is in view of the opened call on the clipboard, and says so where that may not be done. */
export async function copyOpened(shell: Shell, opened: Opened): Promise<void> {
  const { detail, tab } = opened;
  if (!detail) return;
  try {
    await shell.copy(copyOf(detail, tab));
    if (opened.trouble === copyFailed) opened.trouble = '';
  } catch {
    opened.trouble = copyFailed;
  }
}
