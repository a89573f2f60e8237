import type { Choice, Desk, RulesPatch, SettingsView } from '../bridge/dto';
import { counted } from '../ui/time';
import { catalogs, locks } from './choices';
import type { FlipGroup, Rehearsal } from './rehearsal.svelte';

const woulds: Record<string, string> = {
  allow: 'run without asking',
  review: 'go to the reviewer first',
  ask: 'ask you',
  deny: 'be denied',
};

const nows: Record<string, string> = {
  allow: 'without asking',
  review: 'to the reviewer first',
  ask: 'asked',
  deny: 'denied',
};

/** What would become of a group of calls: "31 would run without asking (now: asked)". */
export function groupWords(group: FlipGroup): string {
  const would = woulds[group.would] ?? 'be denied';
  return `${counted(group.rows.length)} would ${would} (now: ${nows[group.now] ?? 'denied'})`;
}

/** What was looked at: "412 decisions of the last 30 days". */
export function lookedWords(r: Rehearsal): string {
  const noun = r.total === 1 ? 'decision' : 'decisions';
  if (r.capped) return `the latest ${counted(r.total)} ${noun} of the last 30 days`;
  return `${counted(r.total)} ${noun} of the last 30 days`;
}

/** What the change would do to them, in one sentence. */
export function sumWords(r: Rehearsal): string {
  if (r.phase === 'failed') return 'What the change would do to past calls could not be found out.';
  const of = r.phase === 'stopped' ? `${counted(r.looked)} of ${lookedWords(r)}` : lookedWords(r);
  if (r.phase === 'reading')
    return r.total ? `Looked at ${counted(r.looked)} of ${lookedWords(r)}.` : 'Looking at past calls.';
  if (r.total === 0) return 'No decision of the last 30 days to compare with.';
  if (r.groups.length === 0) return `Of ${of}, none would be decided otherwise.`;
  return `Of ${of}, ${r.groups.map(groupWords).join(', ')}.`;
}

/** What becomes of the calls that wait when the change is saved, "" where none could be let run. */
export function waitingWords(r: Rehearsal, waiting: number): string {
  if (r.saved || r.saving || !r.loosens || waiting === 0) return '';
  if (waiting === 1) return '1 call waits now. If the change lets it run, it runs as soon as this is saved.';
  return `${counted(waiting)} calls wait now. Those that the change lets run, run as soon as this is saved.`;
}

/** Why some of them cannot be judged, "" where all can. */
export function unjudgedWords(r: Rehearsal): string {
  if (r.unjudged.length === 0) return '';
  const all = r.unjudged.reduce((sum, row) => sum + row.count, 0);
  const why = r.unjudged.map((row) => `${counted(row.count)} since ${row.words}`).join(', ');
  return `${counted(all)} cannot be judged any more: ${why}.`;
}

const label = (choices: Choice[], value: string) => choices.find((one) => one.value === value)?.label ?? value;

/** What is to be changed, or was: "Change: Preset to Full". */
export function headWords({ saved, saving, proposal }: Rehearsal, desk: Desk, view: SettingsView | null): string {
  const { preset, catalog, readOnly, profile } = proposal;
  const parts: string[] = [];
  if (preset) parts.push(`Preset to ${label(desk.presets, preset)}`);
  if (catalog) parts.push(`Catalog to ${label(catalogs, catalog)}`);
  if (readOnly) parts.push(`Read-only lock to ${label(locks, readOnly)}`);
  if (profile) parts.push(`Profile to ${label(view?.profiles ?? [], profile)}`);
  return `${saved ? 'Saved' : saving ? 'Saving' : 'Change'}: ${parts.join(', ')}`;
}

/** The section of the settings that a change is about. */
export function sectionOf({ preset, catalog, readOnly }: RulesPatch): string {
  if (preset) return 'presets';
  if (catalog) return 'catalog';
  return readOnly ? 'lock' : 'profile';
}
