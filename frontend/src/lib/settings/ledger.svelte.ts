import { sentence } from '../bridge/bridge';
import type { Event, GrantList, GrantRow } from '../bridge/dto';
import type { Live } from '../bridge/live.svelte';
import { matches } from './matching';

/** The rows that a group shows before more are asked for. */
export const firstShown = 50;

/** Grants that hold in the same place. */
export interface GrantGroup {
  id: 'workspace' | 'session' | 'dead';
  rows: GrantRow[];
  /** How many of all are in it, whatever the filter. */
  all: number;
}

/** Every word that a grant is found by. */
const wordsOf = (row: GrantRow): string[] => [
  ...[row.verb, row.subject, row.words, row.key, row.why, row.state],
  ...[row.workspace, row.session, row.caller, row.toolId, row.life],
];

/** Sorts grants by where they hold; those that ended come last. */
export function groupsOf(rows: GrantRow[], filter: string): GrantGroup[] {
  const of = (row: GrantRow): GrantGroup['id'] =>
    row.state === 'dead' ? 'dead' : row.life === 'workspace' ? 'workspace' : 'session';
  return (['workspace', 'session', 'dead'] as const).map((id) => {
    const all = rows.filter((row) => of(row) === id);
    return { id, rows: all.filter((row) => matches(filter, wordsOf(row))), all: all.length };
  });
}

/** Ledger is what was allowed ahead of time, kept fresh while it is looked at. */
export class Ledger {
  /** Null before the first reading. */
  list = $state.raw<GrantList | null>(null);
  /** Why the last reading failed, in words; "" when it did not. */
  trouble = $state('');
  /** Why a grant was not taken back. */
  refused = $state('');
  filter = $state('');
  /** The grant that the person is asked about, and the one that is being taken back. */
  asked = $state('');
  revoking = $state('');
  groups = $derived(groupsOf(this.list?.grants ?? [], this.filter));
  /** How many have not ended. */
  held = $derived(this.list?.grants.filter((row) => row.state !== 'dead').length);

  #reading = false;
  #stale = false;

  constructor(readonly live: Live) {}

  /** Reads the grants again; a reading that is under way is followed by one more. */
  async read(): Promise<void> {
    this.#stale = true;
    if (this.#reading) return;
    this.#reading = true;
    try {
      while (this.#stale) {
        this.#stale = false;
        this.list = await this.live.bridge.grants();
        this.trouble = '';
      }
    } catch (cause) {
      this.trouble = sentence(cause);
    } finally {
      this.#reading = false;
    }
  }

  /** Takes hints in: a grant is made by an answer, used by a call, and rests or ends with what it was given for. */
  hinted(events: Event[]): void {
    const about = ['approval.resolved', 'grants.changed', 'settings.changed', 'session.changed', 'session.ended'];
    if (events.some(({ type }) => type === 'tool.call.authorized' || about.includes(type))) void this.read();
  }

  /** Takes a grant back. What it let run goes on. */
  async revoke(id: string): Promise<void> {
    if (this.revoking) return;
    this.revoking = id;
    this.refused = '';
    try {
      await this.live.bridge.revokeGrant(id);
    } catch (cause) {
      this.refused = sentence(cause);
    }
    await this.read();
    this.revoking = '';
    this.asked = '';
  }
}
