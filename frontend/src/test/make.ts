import type {
  ApprovalCard,
  ApprovalRow,
  CallDetail,
  CallRow,
  ClassRow,
  Desk,
  FileDiff,
  HistoryRow,
  SessionRow,
  TimelineItem,
  ToolRow,
} from '../lib/bridge/dto';

const start = Date.now();

/** An instant some seconds before now. */
export const before = (seconds: number) => new Date(start - seconds * 1_000).toISOString();

export const classOf = (over: Partial<ClassRow> = {}): ClassRow => ({
  sideEffect: 'Writes to the workspace',
  risk: 'medium',
  idempotency: 'Repeating changes nothing more',
  action: 'Tool call',
  outputTrust: 'A built-in tool',
  scopes: ['workspace.write'],
  target: 'On this machine',
  timeoutMs: '30000',
  onTimeout: 'Stopped',
  maxBytes: '51200',
  parallel: false,
  ...over,
});

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

export const approvalRow = (over: Partial<ApprovalRow> = {}): ApprovalRow => ({
  id: 'a1',
  sessionId: 's1',
  sessionTitle: 'Retry backoff for the dispatcher',
  invocationId: 'i1',
  workspace: '/home/you/src/dispatchd',
  caller: 'Built-in agent',
  toolId: 'write',
  verb: 'Write 1 file',
  short: 'Write',
  subject: 'internal/dispatch/retry_backoff_policy.go',
  subjectLeft: 0,
  risk: 'medium',
  status: 'pending',
  createdAt: before(120),
  expiresAt: new Date(start + 86_000_000).toISOString(),
  callerLeft: false,
  leftWhy: '',
  ...over,
});

export const diff = (over: Partial<FileDiff> = {}): FileDiff => ({
  path: 'internal/dispatch/retry_backoff_policy.go',
  absolute: '/home/you/src/dispatchd/internal/dispatch/retry_backoff_policy.go',
  unified: '',
  additions: 0,
  deletions: 0,
  created: false,
  notes: [],
  ...over,
});

export const card = (row: Partial<ApprovalRow> = {}, over: Partial<ApprovalCard> = {}): ApprovalCard => ({
  row: approvalRow(row),
  wire: 'write',
  set: 'coding',
  origin: 'built in',
  preview: 'diff',
  diffs: [],
  paths: [
    {
      path: 'internal/dispatch/retry_backoff_policy.go',
      absolute: '/home/you/src/dispatchd/internal/dispatch/retry_backoff_policy.go',
      access: 'write',
      zone: 'workspace',
      linked: false,
    },
  ],
  command: '',
  url: '',
  arguments: [],
  canonical: '{"content":"…","file_path":"/home/you/src/dispatchd/internal/dispatch/retry_backoff_policy.go"}',
  hash: '7f3a9c1e5b2d4486a0c9e17d3f5b8a6c2e4d1f0b9a8c7e6d5f4b3a2c1d0e9f8a',
  hashShort: '7f3a9c1e5b2d',
  why: [
    {
      layer: 'preset',
      verdict: 'ask',
      text: 'Preset Default asks before every write to the workspace.',
      setting: 'presets',
    },
    { layer: 'grant', verdict: 'ask', text: 'No grant covers this file.', setting: 'grants' },
  ],
  offerWords: 'Every write of any content to this one file, by this caller, in this session.',
  offerKey: 'write internal/dispatch/retry_backoff_policy.go',
  noGrant: '',
  restricted: false,
  hold: false,
  moved: '',
  drift: '',
  note: '',
  class: classOf(),
  ended: '',
  resolution: '',
  words: '',
  resolvedBy: '',
  resolvedAt: '',
  ...over,
});

export const callRow = (over: Partial<CallRow> = {}): CallRow => ({
  id: 'i1',
  toolId: 'read',
  verb: 'Read',
  subject: 'internal/dispatch/retry_backoff_policy.go',
  subjectLeft: 0,
  state: 'succeeded',
  figure: '186 lines',
  at: before(60),
  startedAt: before(60),
  durationMs: '4',
  approvalId: '',
  canStop: false,
  ...over,
});

export const historyRow = (call: Partial<CallRow> = {}, over: Partial<HistoryRow> = {}): HistoryRow => {
  const row = callRow(call);
  return {
    call: row,
    cursor: row.id,
    place: row.id,
    sessionId: 's1',
    title: 'Retry backoff for the dispatcher',
    workspace: '/home/you/src/dispatchd',
    caller: 'Built-in agent',
    risk: 'low',
    by: 'no approval needed',
    note: row.figure,
    words: '',
    ...over,
  };
};

export const callItem = (over: Partial<CallRow> = {}): TimelineItem => {
  const call = callRow(over);
  return { id: call.id, cursor: call.id, at: call.at, message: null, call };
};

export const says = (id: string, role: string, text: string): TimelineItem => ({
  id,
  cursor: id,
  at: before(80),
  message: { role, text, left: 0, model: role === 'assistant' ? 'scripted demo' : '' },
  call: null,
});

export const detail = (call: CallRow, over: Partial<CallDetail> = {}): CallDetail => ({
  call,
  arguments: '{"file_path":"/home/you/src/dispatchd/internal/dispatch/retry_backoff_policy.go"}',
  argumentsHash: '7f3a9c1e5b2d4486a0c9e17d3f5b8a6c2e4d1f0b9a8c7e6d5f4b3a2c1d0e9f8a',
  read: [],
  reasonCode: '',
  message: '',
  diffs: [],
  decision: [
    { layer: 'preset', verdict: 'allow', text: 'Preset Default runs reads of the workspace.', setting: 'presets' },
  ],
  decidedBy: 'the rules, without a question',
  decidedAt: before(60),
  startedAt: before(60),
  endedAt: before(59),
  outputTrust: 'A built-in tool',
  truncated: false,
  omitted: '',
  spillPath: '',
  outputBytes: '0',
  class: classOf({ sideEffect: 'Reads the workspace', risk: 'low' }),
  ...over,
});

export const tool = (over: Partial<ToolRow> = {}): ToolRow => ({
  id: 'write',
  wire: 'write',
  version: '1',
  description: 'Writes a whole file. A file that exists must have been read in this session first.',
  catalogs: ['work'],
  class: classOf(),
  parameters: [
    {
      name: 'file_path',
      value: '',
      type: 'text, required',
      description: 'Path of the file, absolute or from the workspace.',
    },
    { name: 'content', value: '', type: 'text, required', description: 'The whole new content.' },
  ],
  available: true,
  reason: '',
  ...over,
});
