import type { CallDetail } from '../bridge/dto';
import { layerWords } from './layers';

/** The text of what is in view of an opened call. */
export function copyOf(detail: CallDetail, tab: string): string {
  switch (tab) {
    case 'output':
      return detail.read.map((part) => part.text || part.handle).join('\n');
    case 'diff':
      return detail.diffs.map((diff) => diff.unified).join('\n');
    case 'decision':
      return detail.decision.map((why) => `${layerWords(why.layer)}: ${why.verdict}. ${why.text}`).join('\n');
    default:
      return detail.arguments;
  }
}
