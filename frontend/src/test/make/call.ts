import type { CallDetail, CallRow, HistoryRow, OutputView, Part, ProcessRow, TimelineItem } from '../../lib/bridge/dto';
import { classOf } from './approval';
import { before } from './desk';

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

/** A text in what a model read. */
export const textPart = (text: string): Part => ({
  ...{ type: 'text', text, mime: '', handle: '', source: '', trouble: '' },
  ...{ bytes: 0, width: 0, height: 0 },
});

/** An image in what a model read: a PNG of a size, kept under a sum that is one digit again and again. */
export const imagePart = (digit: string, over: Partial<Part> = {}): Part => ({
  ...textPart(''),
  ...{ type: 'image', mime: 'image/png', bytes: 4_321, width: 640, height: 400 },
  handle: `media://sha256-${digit.repeat(64)}`,
  source: `/media/sha256-${digit.repeat(64)}`,
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
