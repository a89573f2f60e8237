import type { AnswerResult, CallDetail } from '../bridge/dto';
import { actsOnFile } from '../bridge/tools';

/** What was just done, to which call or folder. */
export interface Done {
  verb: string;
  /** What it acts on: foreign text. */
  subject: string;
  /** Whether that is the path of a file or folder. */
  file: boolean;
  /** What stands in it for each piece that is hidden from eyes. */
  marker: string;
  words: string;
  /** Whether it came out otherwise than the answer meant. */
  bad: boolean;
}

/** What an answer did to its call. */
export function doneOf(result: AnswerResult): Done {
  const { short, subject, toolId, marker } = result.card.row;
  return { verb: short, subject, file: actsOnFile(toolId), marker, words: result.words || 'Answered.', bad: false };
}

/**
 * What became of a call that was allowed at the card `approvalId`: null while it
 * is under way, "" when it ran, else a sentence.
 */
export function outcomeWords(detail: CallDetail, approvalId: string): string | null {
  const { state, figure, approvalId: waitsAt } = detail.call;
  const why = detail.message ? ` ${detail.message}` : figure ? ` ${figure}.` : '';
  switch (state) {
    case 'succeeded':
      return '';
    case 'failed':
    case 'unavailable':
      return `Allowed, but it failed.${why}`;
    case 'denied':
      return `Allowed, but not run.${why}`;
    case 'cancelled':
      return 'Allowed, but cancelled before it ended.';
    case 'uncertain':
      return 'Allowed, and it is not known whether it happened.';
    case 'waiting_for_approval':
      return waitsAt && waitsAt !== approvalId ? 'Allowed, but not run: it changed, so it is asked again.' : null;
    default:
      return null;
  }
}
