import { batchKeys, cardKeys, inboxKeys, pickKeys } from '../lib/approval/keys';
import { catalogKeys, driftKeys } from '../lib/catalog/keys';
import { diffKeys } from '../lib/diff/keys';
import { followKeys } from '../lib/follow/keys';
import { excerptKeys, foundKeys } from '../lib/found/keys';
import { filterKeys, historyKeys, searchKeys } from '../lib/history/keys';
import { connectKeys } from '../lib/connect/keys';
import { outputFindKeys, outputKeys } from '../lib/output/keys';
import { paletteKeys } from '../lib/palette/keys';
import { lineKeys, processKeys } from '../lib/processes/keys';
import { composerKeys, findKeys, imageKeys, timelineKeys } from '../lib/session/keys';
import { choiceKeys, narrowKeys, revokeKeys, settingsKeys } from '../lib/settings/keys';
import type { Keys } from '../lib/ui/keys';
import { type View, views } from './route';

/** The keys that count in every view. */
export const everywhereKeys = {
  view: { on: views.map((_, i) => `Ctrl+${i + 1}`), words: 'Go to a view, in the order of the rail' },
  commands: { on: ['Ctrl+k'], words: 'Open the commands' },
  map: { on: ['?'], words: 'Show this map' },
} as const satisfies Keys;

/** The keyboard map while it is open. */
export const mapKeys = {
  close: { on: ['Escape', '?'], words: 'Close the map' },
} as const satisfies Keys;

/** A menu that is open. */
export const menuKeys = {
  down: { on: ['ArrowDown'], words: 'Next choice', held: true },
  up: { on: ['ArrowUp'], words: 'Previous choice', held: true },
  close: { on: ['Escape', 'Tab'], words: 'Close it, nothing changed' },
} as const satisfies Keys;

/** The keys of one place, as the map lists them. */
export interface Place {
  title: string;
  /** The view that it is part of, "" for every view, or what takes its keys first: what floats above them, and a list that scrolls. */
  view: View | '' | 'overlay';
  keys: Keys;
}

/** Every key that the page binds, by place. The handlers read the same tables. */
export const keymap: Place[] = [
  { title: 'Everywhere', view: '', keys: everywhereKeys },
  { title: 'Desk', view: 'desk', keys: timelineKeys },
  { title: 'Desk, in the task', view: 'desk', keys: composerKeys },
  { title: 'Desk, in the search', view: 'desk', keys: findKeys },
  { title: 'Approvals', view: 'approvals', keys: inboxKeys },
  { title: 'The open card', view: 'approvals', keys: cardKeys },
  { title: 'Several calls together', view: 'approvals', keys: pickKeys },
  { title: 'The review of a batch', view: 'overlay', keys: batchKeys },
  { title: 'A change that is shown', view: '', keys: diffKeys },
  { title: 'Desk, in what a search found', view: 'desk', keys: foundKeys },
  { title: 'A file that a search found', view: 'overlay', keys: excerptKeys },
  { title: 'An image that came back', view: 'overlay', keys: imageKeys },
  { title: 'Tools', view: 'tools', keys: catalogKeys },
  { title: 'The change of a tool set', view: 'overlay', keys: driftKeys },
  { title: 'Lines that come while they are read', view: 'overlay', keys: followKeys },
  { title: 'Processes', view: 'processes', keys: processKeys },
  { title: 'Processes, in the line', view: 'processes', keys: lineKeys },
  { title: 'History', view: 'history', keys: historyKeys },
  { title: 'History, in the search', view: 'history', keys: searchKeys },
  { title: 'A filter of the history', view: 'overlay', keys: filterKeys },
  { title: 'Connect', view: 'connect', keys: connectKeys },
  { title: 'An output', view: 'overlay', keys: outputKeys },
  { title: 'An output, in the search', view: 'overlay', keys: outputFindKeys },
  { title: 'Commands', view: 'overlay', keys: paletteKeys },
  { title: 'The keyboard map', view: 'overlay', keys: mapKeys },
  { title: 'Settings', view: 'settings', keys: settingsKeys },
  { title: 'Settings, one of several values', view: 'settings', keys: choiceKeys },
  { title: 'Settings, in a filter', view: 'settings', keys: narrowKeys },
  { title: 'Settings, a grant to revoke', view: 'settings', keys: revokeKeys },
  { title: 'A menu', view: 'overlay', keys: menuKeys },
];
