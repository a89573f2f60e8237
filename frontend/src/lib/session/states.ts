import type { Look } from '../ui/look';

/** How a call's state is told: a word, and the look that goes with it. */
export interface StateLook {
  word: string;
  look: Look;
}

/**
 * The word for a call's state. A call that was done is told as failed when the program that it
 * ran was: its figure says how. A state that is not known is told as unknown.
 */
export function stateLook(state: string, failed = false): StateLook {
  switch (failed ? 'failed' : state) {
    case 'proposed':
      return { word: 'Proposed', look: 'waiting' };
    case 'waiting_for_approval':
      return { word: 'Waiting', look: 'waiting' };
    case 'authorized':
      return { word: 'Allowed', look: 'running' };
    case 'running':
      return { word: 'Running', look: 'running' };
    case 'succeeded':
      return { word: 'Done', look: 'done' };
    case 'failed':
      return { word: 'Failed', look: 'failed' };
    case 'unavailable':
      return { word: 'Unavailable', look: 'failed' };
    case 'denied':
      return { word: 'Denied', look: 'denied' };
    case 'cancelled':
      return { word: 'Cancelled', look: 'cancelled' };
    default:
      return { word: 'Unknown', look: 'uncertain' };
  }
}
