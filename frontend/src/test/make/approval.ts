import type {
  ApprovalCard,
  ApprovalRow,
  ChoiceRow,
  ClassRow,
  CommandMark,
  CommandRow,
  FileDiff,
  OfferRow,
} from '../../lib/bridge/dto';
import { before, start } from './desk';

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
