import { type Bridge, sentence } from '../bridge/bridge';
import type { FlipRow, RulesPatch, UnjudgedRow } from '../bridge/dto';

/** Past calls that a change would all decide the same other way. */
export interface FlipGroup {
  now: string;
  would: string;
  rows: FlipRow[];
  /** The same calls by their tool, the most first. */
  tools: { toolId: string; rows: FlipRow[] }[];
}

const strictness = ['allow', 'review', 'ask', 'deny'];

/** How much a verdict stops. One that is not known stops all. */
const rank = (verdict: string) => (strictness.includes(verdict) ? strictness.indexOf(verdict) : strictness.length);

/** Whether a call would be let through further than now. */
export const opens = (row: { now: string; would: string }) => rank(row.would) < rank(row.now);

/** Groups calls by what would become of them: what is opened first, and of that the most. */
export function groupsOf(flips: FlipRow[]): FlipGroup[] {
  const found: FlipGroup[] = [];
  for (const row of flips) {
    let group = found.find((one) => one.now === row.now && one.would === row.would);
    if (!group) found.push((group = { now: row.now, would: row.would, rows: [], tools: [] }));
    group.rows.push(row);
    const tool = group.tools.find((one) => one.toolId === row.toolId);
    if (tool) tool.rows.push(row);
    else group.tools.push({ toolId: row.toolId, rows: [row] });
  }
  for (const group of found) group.tools.sort((a, b) => b.rows.length - a.rows.length);
  return found.sort((a, b) => Number(opens(b)) - Number(opens(a)) || b.rows.length - a.rows.length);
}

/** Rehearsal looks at what a change of settings would decide otherwise, before it is saved. */
export class Rehearsal {
  phase = $state<'reading' | 'stopped' | 'done' | 'failed'>('reading');
  trouble = $state('');
  /** The change may let something through. Until the desk has said otherwise it does. */
  loosens = $state(true);
  total = $state(0);
  capped = $state(false);
  looked = $state(0);
  flips = $state.raw<FlipRow[]>([]);
  unjudged = $state.raw<UnjudgedRow[]>([]);
  /** The change is being saved, or was, without a question: nothing that was looked at is let through further by it. */
  saving = $state(false);
  saved = $state(false);

  readonly groups = $derived(groupsOf(this.flips));

  constructor(
    private readonly bridge: Pick<Bridge, 'rehearse'>,
    /** The change of what the desk decides by. */
    readonly proposal: RulesPatch,
  ) {}

  /** Nothing that was looked at would be let through further, and everything was looked at. */
  get harmless(): boolean {
    return this.phase === 'done' && !this.capped && this.unjudged.length === 0 && !this.flips.some(opens);
  }

  /** A loosening is saved once it was looked at; what only tightens may be saved at any time. */
  get mayLoosen(): boolean {
    if (this.saving) return false;
    return !this.loosens || this.phase === 'done' || this.phase === 'stopped';
  }

  stop(): void {
    if (this.phase === 'reading') this.phase = 'stopped';
  }

  /** Looks at all calls, step by step. known is told once it is known whether the change loosens. */
  async run(known: () => void): Promise<void> {
    let from = '';
    do {
      try {
        const step = await this.bridge.rehearse({ rules: this.proposal, setting: { key: '', value: '' }, from });
        if (this.phase !== 'reading') return;
        this.loosens = step.loosens;
        this.total = step.total;
        this.capped = step.capped;
        this.looked = step.looked;
        this.flips = [...this.flips, ...step.flips];
        this.unjudged = merged(this.unjudged, step.unjudged);
        if (!from) known();
        from = step.next;
      } catch (cause) {
        if (this.phase !== 'reading') return;
        this.trouble = sentence(cause);
        this.phase = 'failed';
        return;
      }
    } while (from);
    this.phase = 'done';
  }
}

function merged(rows: UnjudgedRow[], more: UnjudgedRow[]): UnjudgedRow[] {
  const out = rows.map((row) => ({ ...row }));
  for (const row of more) {
    const known = out.find((one) => one.words === row.words);
    if (known) known.count += row.count;
    else out.push({ ...row });
  }
  return out;
}
