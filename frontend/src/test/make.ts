import type {
  ApprovalCard,
  ApprovalRow,
  CallDetail,
  CallRow,
  CallerRow,
  ChoiceRow,
  ClassRow,
  ClientPlan,
  ClientRow,
  CommandMark,
  CommandRow,
  Desk,
  FieldRow,
  FileDiff,
  GrantRow,
  HistoryRow,
  OfferRow,
  OutputView,
  PathRules,
  PathVerdict,
  ProcessRow,
  SessionRow,
  SetRow,
  SettingsView,
  Standing,
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

export const approvalRow = (over: Partial<ApprovalRow> = {}): ApprovalRow => ({
  id: 'a1',
  sessionId: 's1',
  sessionTitle: 'Retry backoff for the dispatcher',
  invocationId: 'i1',
  workspace: '/home/you/src/dispatchd',
  caller: 'Built-in agent',
  callerKind: 'agent',
  toolId: 'write',
  verb: 'Write 1 file',
  short: 'Write',
  subject: 'internal/dispatch/retry_backoff_policy.go',
  subjectLeft: 0,
  marker: '',
  risk: 'medium',
  status: 'pending',
  createdAt: before(120),
  expiresAt: new Date(start + 86_000_000).toISOString(),
  callerLeft: false,
  leftWhy: '',
  alone: '',
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
  changes: 0,
  ...over,
});

/** What an answer may allow for longer. */
export const choice = (value: string, words: string, tool = 'bash', kind = 'command'): ChoiceRow => ({
  kind,
  value,
  words,
  key: `${tool} ${value}${kind === 'folder' ? '/' : ''}`,
});

/** A part of a call with what may be allowed of it. */
export const offer = (over: Partial<OfferRow> = {}): OfferRow => ({
  text: '',
  odd: [],
  why: '',
  covered: false,
  choices: [],
  lives: ['session', 'workspace'],
  ...over,
});

/** A command of a command line, as it is listed. */
export const step = (text: string, marks: Partial<CommandMark>[] = [], over: Partial<CommandRow> = {}): CommandRow => ({
  depth: 0,
  text,
  odd: [],
  dynamic: false,
  background: false,
  marks: marks.map((one) => ({
    effect: 'reads',
    subject: '',
    odd: [],
    words: '',
    outside: false,
    restricted: false,
    tree: false,
    ...one,
  })),
  left: 0,
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
  input: '',
  about: [],
  arguments: [],
  canonical: '{"content":"…","file_path":"/home/you/src/dispatchd/internal/dispatch/retry_backoff_policy.go"}',
  canonicalLeft: 0,
  hash: '7f3a9c1e5b2d4486a0c9e17d3f5b8a6c2e4d1f0b9a8c7e6d5f4b3a2c1d0e9f8a',
  hashShort: '7f3a9c1e5b2d',
  shown: 'd2a84f4b8b650937',
  why: [
    {
      layer: 'preset',
      verdict: 'ask',
      text: 'Preset Default asks before every write to the workspace.',
      setting: 'presets',
    },
    { layer: 'grant', verdict: 'ask', text: 'No grant covers this file.', setting: 'grants' },
  ],
  odd: [],
  listing: { state: '', why: '', steps: [], left: 0 },
  offers: [
    offer({
      text: 'internal/dispatch/retry_backoff_policy.go',
      choices: [
        choice(
          '/home/you/src/dispatchd/internal/dispatch/retry_backoff_policy.go',
          'Changes internal/dispatch/retry_backoff_policy.go by "write"',
          'write',
          'file',
        ),
        choice(
          '/home/you/src/dispatchd/internal/dispatch',
          'Changes files below internal/dispatch by "write"',
          'write',
          'folder',
        ),
      ],
    }),
  ],
  noGrant: '',
  mustSee: false,
  marker: '[redacted:51a3]',
  mustReveal: false,
  restricted: false,
  dangers: [],
  changed: { by: '', words: '', hashShort: '', fields: [] },
  hidden: [],
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
  marker: '',
  state: 'succeeded',
  figure: '186 lines',
  at: before(60),
  startedAt: before(60),
  durationMs: '4',
  approvalId: '',
  failed: false,
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

export const outputView = (over: Partial<OutputView> = {}): OutputView => ({
  sessionId: 's1',
  name: 'bash-1.txt',
  call: callRow(),
  state: { bytes: 0, lines: 0, scanned: 0 },
  lost: 0,
  gone: false,
  removedAt: '',
  keptUntil: '',
  seen: { known: false, head: 0, tail: 0, lines: 0, omitted: 0, omittedBytes: 0 },
  ...over,
});

export const detail = (call: CallRow, over: Partial<CallDetail> = {}): CallDetail => ({
  call,
  arguments: '{"file_path":"/home/you/src/dispatchd/internal/dispatch/retry_backoff_policy.go"}',
  argumentsHash: '7f3a9c1e5b2d4486a0c9e17d3f5b8a6c2e4d1f0b9a8c7e6d5f4b3a2c1d0e9f8a',
  read: [],
  changed: { by: '', words: '', hashShort: '', fields: [] },
  reasonCode: '',
  message: '',
  diffs: [],
  decision: [
    { layer: 'preset', verdict: 'allow', text: 'Preset Default runs reads of the workspace.', setting: 'presets' },
  ],
  decidedBy: 'the rules, without a question',
  verdict: call.state === 'denied' ? 'Denied' : 'Allowed',
  undecided: '',
  decidedAt: before(60),
  startedAt: before(60),
  endedAt: before(59),
  outputTrust: 'A built-in tool',
  truncated: false,
  outputs: [],
  omitted: '',
  marker: '',
  hidden: [],
  spillPath: '',
  sessionId: 's1',
  found: { kind: '', groups: [], files: [], left: 0 },
  outputBytes: '0',
  run: { kind: '', sessionId: 's1', ending: '', failed: false, dir: '', processId: '', logPath: '' },
  class: classOf({ sideEffect: 'Reads the workspace', risk: 'low' }),
  ...over,
});

export const field = (over: Partial<FieldRow> = {}): FieldRow => ({
  name: 'file_path',
  depth: 0,
  type: 'text',
  required: true,
  default: '',
  choices: [],
  limits: ['1 to 4,096 characters'],
  description: 'Path of the file, absolute or from the workspace.',
  ...over,
});

export const standing = (over: Partial<Standing> = {}): Standing => ({
  answer: 'ask',
  short: 'Asks',
  words: 'It asks you, and you can allow it for the session.',
  why: [
    {
      layer: 'preset',
      verdict: 'ask',
      text: 'Preset Default asks before every write to the workspace; preset Edit would let it run.',
      setting: 'presets',
    },
  ],
  ...over,
});

export const runs = (): Standing =>
  standing({
    answer: 'allow',
    short: 'Runs',
    words: 'It runs without a question.',
    why: [{ layer: 'preset', verdict: 'allow', text: 'Preset Default runs what only reads.', setting: 'presets' }],
  });

export const tool = (over: Partial<ToolRow> = {}): ToolRow => ({
  id: 'write',
  wire: 'write',
  version: '1',
  description: 'Writes a whole file. A file that exists must have been read in this session first.',
  catalogs: ['work'],
  does: 'Writes',
  class: classOf(),
  modelBytes: '51200',
  modelLines: '2000',
  declared: 'By preset',
  standing: standing(),
  fields: [
    field(),
    field({ name: 'content', limits: ['at most 2,097,152 characters'], description: 'The whole new content.' }),
  ],
  schema: '{\n  "type": "object",\n  "required": [\n    "file_path",\n    "content"\n  ]\n}',
  calls: '41',
  failedAt: '',
  failedWords: '',
  available: true,
  reason: '',
  ...over,
});

export const toolSet = (over: Partial<SetRow> = {}): SetRow => ({
  name: 'coding',
  origin: 'built in',
  enabled: true,
  status: 'loaded',
  words: 'Read, change and search files; run commands.',
  calls: '1204',
  tools: [tool()],
  ...over,
});

const kinds = [
  ['read', 'Workspace reads'],
  ['edit', 'Workspace edits'],
  ['command', 'Commands'],
  ['outside', 'Outside'],
  ['network', 'Network'],
] as const;

const row = (key: string, value: string, range: string, standard: string, sentence = 'It does something.') => ({
  key,
  sentence,
  range,
  default: standard,
  value,
  given: false,
});

export const settingsView = (over: Partial<SettingsView> = {}): SettingsView => ({
  file: '/home/you/.countersign/config.json',
  fault: '',
  differs: [],
  unknown: [],
  unknownSets: [],
  fields: [
    row('preset', '"default"', 'default, edit, review, audit or full', 'default'),
    row('catalog', '"work"', 'plan or work', 'work'),
    row('profile', '"desktop"', 'desktop or strict', 'desktop'),
    row('readOnly', 'false', 'true or false', 'false'),
    row('toolSets', '["coding","exact"]', 'a list of set names', 'coding, planning, exact, git, desktop'),
    row('allowedDomains', '[]', 'a list of host names, such as api.example.com, without address or port', 'none'),
    row('theme', '"system"', 'system, light or dark', 'system'),
    row('hooks', '{}', '{beforeCall, afterResult}, each a list of {name, run}', 'none'),
    row('notifications', '"on"', 'on, sound or off', 'on'),
    row(
      'maxHoldSeconds',
      '0',
      'a whole number from 0 to 86400',
      '0',
      'How long a calling program is held while a person decides; 0 sets no limit.',
    ),
    row(
      'unusedGrantDays',
      '30',
      'a whole number from 0 to 3650',
      '30',
      'After how many days without use a grant for a workspace is taken back; 0 keeps it.',
    ),
    row(
      'resultNotes',
      '[]',
      'a list of {glob, mustStartWith, note}',
      'none',
      'Notes for the agent about new files that do not begin as they should.',
    ),
  ],
  kinds: kinds.map(([value, label]) => ({ value, label, words: `${label}.` })),
  presets: desk().presets.map((one, i) => ({
    ...one,
    answers: ['allow', i === 0 ? 'ask' : one.value === 'audit' ? 'review' : 'allow', 'restrict', 'insist', 'once'],
  })),
  profiles: [
    { value: 'desktop', label: 'Desktop', words: 'Asks you about code, paths outside and hosts. Looser than Strict.' },
    { value: 'strict', label: 'Strict', words: 'Denies all of that without asking.' },
  ],
  ...over,
});

export const client = (over: Partial<ClientRow> = {}): ClientRow => ({
  id: 'codex',
  name: 'Codex',
  command: '',
  fragment:
    '[mcp_servers.countersign]\ncommand = "/opt/countersign/countersign"\nargs = ["mcp"]\ntool_timeout_sec = 86400\n',
  language: 'toml',
  place: '~/.codex/config.toml',
  path: '/home/you/.codex/config.toml',
  linkedTo: '',
  user: true,
  state: 'absent',
  trouble: '',
  limit: 'A call may wait for a day, instead of 300 seconds.',
  after: 'Start Codex anew.',
  sessions: 0,
  ...over,
});

export const clientPlan = (row: Partial<ClientRow> = {}, over: Partial<ClientPlan> = {}): ClientPlan => ({
  client: client(row),
  diffs: [
    diff({
      path: '~/.codex/config.toml',
      absolute: '/home/you/.codex/config.toml',
      unified:
        '--- a/~/.codex/config.toml\n+++ b/~/.codex/config.toml\n@@ -1,2 +1,7 @@\n model = "gpt-5-codex"\n approval_policy = "on-request"\n+\n+[mcp_servers.countersign]\n+command = "/opt/countersign/countersign"\n+args = ["mcp"]\n+tool_timeout_sec = 86400\n',
      additions: 5,
    }),
  ],
  hash: 'h1',
  written: false,
  ...over,
});

export const caller = (over: Partial<CallerRow> = {}): CallerRow => ({
  sessionId: 's3',
  title: 'Approval inbox keyboard tests',
  name: 'Codex',
  version: '0.171.0',
  workspace: '/home/you/src/dispatchd',
  through: 'stdio, process 48977',
  since: before(26 * 60),
  calls: 31,
  denied: 0,
  waiting: 2,
  lastCall: before(12),
  ...over,
});

export const process = (over: Partial<ProcessRow> = {}): ProcessRow => ({
  sessionId: 's1',
  id: 'p1',
  title: 'Retry backoff for the dispatcher',
  caller: 'Built-in agent',
  workspace: '/home/you/src/dispatchd',
  command: 'npm run dev',
  marker: '',
  dir: '/home/you/src/dispatchd',
  pid: '41232',
  status: 'running',
  statusWords: 'Running',
  failed: false,
  startedAt: before(272),
  endedAt: '',
  measured: true,
  cpuMs: '1840',
  memoryBytes: String(183 * 1024 * 1024),
  count: 3,
  lines: '131',
  bytes: '9120',
  logPath: '/home/you/.countersign/output/s1/p1.log',
  input: true,
  stop: true,
  fixed: '',
  ...over,
});

export const grant = (over: Partial<GrantRow> = {}): GrantRow => ({
  id: 'g1',
  life: 'workspace',
  toolId: 'bash',
  verb: 'Runs commands that begin with',
  subject: 'git log',
  isPath: false,
  words: 'Not with redirects, outside the workspace, or with options that do something else.',
  key: 'bash git log *',
  state: 'live',
  why: '',
  workspace: '/home/you/src/dispatchd',
  by: 'you',
  sessionId: 's1',
  session: 'Retry backoff for the dispatcher',
  caller: 'Built-in agent',
  callId: 'c7',
  at: before(3_600),
  usedAt: before(12),
  uses: '104',
  expiresAt: '',
  sweptAt: before(-2_591_988),
  endedAt: '',
  ...over,
});

export const pathRules = (): PathRules => ({
  workspace: '/home/you/src/dispatchd',
  groups: [
    {
      kind: 'blocked',
      label: 'Blocked',
      words: 'Writing is denied, whatever was allowed. Nobody is asked.',
      rows: [
        {
          words: 'Is code that git runs by itself',
          patterns: [
            { id: 'git-hooks', text: '.git/**/hooks/', except: [], example: '/w/.git/hooks/pre-commit', systems: '' },
          ],
        },
      ],
    },
    {
      kind: 'credential',
      label: 'Secrets',
      words: 'Reading and writing ask you each time, once only. Profile Strict denies both.',
      rows: [
        {
          words: 'Holds private keys',
          patterns: [
            { id: 'ssh', text: '.ssh/', except: [], example: '/home/u/.ssh/config', systems: '' },
            { id: 'id-rsa', text: 'id_rsa*', except: ['*.pub'], example: '/w/id_rsa', systems: '' },
          ],
        },
        {
          words: 'Holds passwords or tokens',
          patterns: [
            { id: 'env', text: '.env*', except: ['.env.example'], example: '/w/sub/.env.production', systems: '' },
          ],
        },
      ],
    },
    {
      kind: 'protected',
      label: 'Protected from writing',
      words: 'Writing asks you each time, once only. Reading is as anywhere else.',
      rows: [
        {
          words: 'Belongs to the operating system',
          patterns: [{ id: 'etc', text: '/etc/', except: [], example: '/etc/hosts', systems: 'Linux, macOS' }],
        },
      ],
    },
  ],
});

export const pathVerdict = (over: Partial<PathVerdict> = {}): PathVerdict => {
  const answer = {
    answer: 'restrict',
    hold: 'restricted',
    is: 'Holds passwords or tokens',
    short: 'Always asks',
    words: 'It always asks you, once only, whatever the preset.',
    why: [{ layer: 'paths', verdict: 'ask', text: '"src/.env" holds passwords or tokens.', setting: '' }],
  };
  return {
    path: '/home/you/src/dispatchd/src/.env',
    where: 'Inside the workspace',
    read: answer,
    write: answer,
    ...over,
  };
};
