import type { MatchedCalls } from '../bridge/dto';
import { counted } from '../ui/time';
import type { Life } from './scope.svelte';

/** What a scope would have meant for the calls before, in a sentence or two. */
export function pastWords({ looked, all, part, denied }: MatchedCalls, life: Life): string {
  const where = life === 'session' ? 'of this session' : 'in this workspace';
  if (looked === 0) return `No earlier call ${where} to compare with.`;
  if (looked === 1) {
    const said = all ? 'would have run' : part ? 'matches in part' : 'does not match';
    return `The one earlier call ${where} ${said}.${denied ? ' You denied it.' : ''}`;
  }
  const last = `of the last ${counted(looked)} calls ${where}`;
  if (all + part === 0) return `None ${last} matches.`;
  const some = part ? `, and parts of ${counted(part)} more match` : '';
  const told = all + part === 1 ? 'it' : `${counted(denied)} of them`;
  return `${counted(all)} ${last} would have run${some}.${denied ? ` You denied ${told}.` : ''}`;
}
