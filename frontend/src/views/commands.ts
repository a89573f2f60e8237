import type { Inbox } from '../lib/approval/inbox.svelte';
import type { SetRow } from '../lib/bridge/dto';
import type { Catalog } from '../lib/catalog/catalog.svelte';
import type { Command } from '../lib/palette/command';
import { keyOf } from '../lib/processes/figures';
import type { Processes } from '../lib/processes/processes.svelte';
import type { Sessions } from '../lib/session/sessions.svelte';
import { sections } from '../lib/settings/sections';
import type { Settings } from '../lib/settings/settings.svelte';
import { capOf } from '../lib/ui/keys';
import { riskOf } from '../lib/ui/risk';
import { changes } from './changes';
import { everywhereKeys } from './keymap';
import { labels, type View, views } from './route';

/** What the commands act on. */
export interface Desk {
  inbox: Inbox;
  sessions: Sessions;
  catalog: Catalog;
  settings: Settings;
  processes: Processes;
  view: View;
  /** Puts what is open on the clipboard. */
  copy(): void;
  /** Shows the keyboard map. */
  showMap(): void;
}

function go(view: View, part = ''): void {
  location.hash = part ? `#/${view}/${encodeURIComponent(part)}` : `#/${view}`;
}

/** Every command there is now, in the order in which they are listed before anything was typed. */
export function commandsOf(desk: Desk): Command[] {
  return [
    ...waiting(desk),
    ...views.map((view, i): Command => {
      const cap = capOf(everywhereKeys.view.on[i] ?? '');
      return { id: `view:${view}`, group: 'Go to', title: `Go to ${labels[view]}`, cap, act: () => go(view) };
    }),
    ...actions(desk),
    ...changes(desk.settings),
    ...sections.map(({ id, label }): Command => ({
      id: `section:${id}`,
      group: 'Settings',
      title: label,
      also: 'settings',
      act: () => go('settings', id),
    })),
    ...sessions(desk),
    ...toolCommands(desk.catalog, desk.catalog.sets ?? []),
    ...processCommands(desk.processes),
  ];
}

/** What waits. A command shows the card; the answer is given there. */
function waiting({ inbox }: Desk): Command[] {
  return inbox.entries.map((entry): Command => {
    const open = () => {
      go('approvals', entry.kind === 'call' ? entry.row.id : '');
      void inbox.open(entry.key);
    };
    const base = { id: entry.key, group: 'Waiting for you', act: open };
    if (entry.kind === 'trust')
      return { ...base, title: 'Trust this folder?', subject: entry.question.root, file: true };
    const { verb, subject, risk, caller, toolId } = entry.row;
    return { ...base, title: '', name: verb, subject, risk: riskOf(risk), also: `${caller} ${toolId}` };
  });
}

function actions({ inbox, sessions, view, copy, showMap }: Desk): Command[] {
  const { live } = inbox;
  const found: Command[] = [];
  const add = (id: string, title: string, act: () => void, more: Partial<Command> = {}) =>
    found.push({ id: `do:${id}`, group: 'Actions', title, act, ...more });

  const up = live.link === 'up';
  if (up && live.snapshot?.desk.agent) add('task', 'New task for the built-in agent', () => newTask(sessions));
  for (const { id, title, busy, callerKind } of sessions.ordered) {
    if (up && busy && callerKind === 'agent')
      add(`stop:${id}`, 'Stop the turn of', () => void sessions.stop(id), { name: title });
  }
  if (view === 'desk' && sessions.detail) add('copy', 'Copy what is open', copy, { cap: 'Y' });
  add('map', 'Show the keyboard map', showMap, { cap: capOf('?'), also: 'keys shortcuts help' });
  add('read', 'Read everything from the desk again', () => live.again(), { also: 'refresh reload' });
  return found;
}

/** Begins a session of the built-in agent; its first task makes it. */
export function newTask(sessions: Sessions): void {
  sessions.clear();
  go('desk', 'new');
  // The field is there once the view is.
  setTimeout(() => requestAnimationFrame(() => document.getElementById('task')?.focus()));
}

function sessions({ sessions }: Desk): Command[] {
  return sessions.groups.flatMap((group) =>
    group.sessions.map(({ id, title, caller }): Command => ({
      id: `session:${id}`,
      group: 'Sessions',
      title: '',
      name: title,
      detail: title.startsWith(caller) ? group.name : `${caller}, ${group.name}`,
      act: () => {
        go('desk', id);
        void sessions.open(id);
      },
    })),
  );
}

/** The tools of some sets. */
export function toolCommands(catalog: Catalog, sets: SetRow[]): Command[] {
  return sets.flatMap((set) =>
    set.tools.map(({ id, wire, description }): Command => ({
      id: `tool:${set.origin}:${set.name}:${id}`,
      group: 'Tools',
      title: '',
      subject: id,
      detail: set.name,
      also: `${wire} ${description}`,
      act: () => {
        catalog.filter = '';
        catalog.selected = id;
        go('tools');
      },
    })),
  );
}

/** The managed processes. A command shows one; what is done to it is done there. */
export function processCommands(processes: Processes): Command[] {
  return processes.rows.map((row) => ({
    id: `process:${keyOf(row)}`,
    group: 'Processes',
    title: '',
    subject: row.command,
    detail: `${row.id}, ${row.statusWords}`,
    also: `process ${row.title}`,
    act: () => {
      processes.choose(keyOf(row));
      go('processes');
    },
  }));
}
