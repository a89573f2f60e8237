import type { Desk, SessionRow } from '../../lib/bridge/dto';

/** When the made-up world begins. */
export const start = Date.now();

/** An instant some seconds before now. */
export const before = (seconds: number) => new Date(start - seconds * 1_000).toISOString();

export const desk = (over: Partial<Desk> = {}): Desk => ({
  version: '0.1.0',
  workspace: '/home/you/src/dispatchd',
  home: '/home/you/.countersign',
  preset: 'default',
  catalog: 'work',
  profile: 'desktop',
  readOnly: false,
  theme: '',
  presets: [
    { value: 'default', label: 'Default', words: 'Reads run. Everything else asks.' },
    { value: 'edit', label: 'Edit', words: 'Writes inside the workspace run as well.' },
    { value: 'review', label: 'Review', words: 'As Edit; what is left is meant for a reviewer model.' },
    { value: 'audit', label: 'Audit', words: 'As Review, and the reviewer also judges workspace writes.' },
    { value: 'full', label: 'Full', words: 'As Edit, and commands that stay inside the workspace run.' },
  ],
  callers: ['Claude Code', 'Codex'],
  running: 0,
  processes: 0,
  storeHealthy: true,
  storeWords: '',
  agent: true,
  model: 'scripted demo',
  now: new Date(start).toISOString(),
  ...over,
});

export const session = (over: Partial<SessionRow> = {}): SessionRow => ({
  id: 's1',
  title: 'Retry backoff for the dispatcher',
  workspace: '/home/you/src/dispatchd',
  caller: 'Built-in agent',
  callerKind: 'agent',
  preset: 'default',
  catalog: 'work',
  status: 'open',
  connected: true,
  busy: false,
  waiting: 0,
  updatedAt: before(2),
  createdAt: before(900),
  ...over,
});
