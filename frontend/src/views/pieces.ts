import { atRest } from '../lib/ui/frame';
import { Piece } from '../lib/ui/piece.svelte';
import type { View } from './route';

/** The code of each view. What is drawn before any of them is in the first file of the page. */
export const pieces = {
  approvals: new Piece(() => import('./ApprovalsView.svelte')),
  desk: new Piece(() => import('./DeskView.svelte')),
  history: new Piece(() => import('./HistoryView.svelte')),
  tools: new Piece(() => import('./ToolsView.svelte')),
  processes: new Piece(() => import('./ProcessesView.svelte')),
  connect: new Piece(() => import('./ConnectView.svelte')),
  settings: new Piece(() => import('./SettingsView.svelte')),
} satisfies Record<View, unknown>;

/** How long a reading is put off at most where the page has no rest. */
const latestMs = 500;

/** Reads the views that are not open while the page rests, one after the other, so that going to one shows it at once. */
export async function readAhead(): Promise<void> {
  for (const piece of Object.values(pieces)) {
    if (piece.part) continue;
    await new Promise<void>((done) => void atRest(done, latestMs));
    await piece.load();
  }
}
