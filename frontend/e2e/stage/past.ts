// Calls of several days and sessions, for the history.
import type { HistoryRow } from '../../src/lib/bridge/dto';
import { before, historyRow } from '../../src/test/make';

const hour = 3_600;
const day = 24 * hour;

/** A row that was made some seconds ago. */
const made = (n: number, ago: number, call: Parameters<typeof historyRow>[0], over: Partial<HistoryRow> = {}) => {
  const row = historyRow({ id: `p${n}`, figure: '', durationMs: '0', ...call, at: before(ago) }, over);
  return { ...row, cursor: `${10_000_000_000 - ago}.${1_000 - n}`, note: over.note ?? row.call.figure };
};

const flaky = { sessionId: 's4', title: 'Why is TestClaimRace flaky on arm64' };

export const past: HistoryRow[] = [
  made(
    0,
    20,
    {
      id: 'c1',
      toolId: 'bash',
      verb: 'Run',
      subject: 'go test ./internal/dispatch/... -count=1',
      state: 'waiting_for_approval',
      approvalId: 'a0',
    },
    { by: 'not decided yet', risk: 'high' },
  ),
  made(
    1,
    300,
    {
      id: 'c7',
      toolId: 'bash',
      verb: 'Run',
      subject: 'go test ./internal/dispatch/... -count=1',
      state: 'failed',
      figure: 'exit 1',
      durationMs: '4071',
    },
    { by: 'session grant', risk: 'high' },
  ),
  made(
    2,
    840,
    {
      toolId: 'write',
      verb: 'Write',
      id: 'c8',
      subject: 'internal/dispatch/retry_backoff_policy.go',
      figure: '+7 −4',
      durationMs: '12',
    },
    { by: 'allowed once by you', risk: 'medium' },
  ),
  made(
    3,
    3 * hour,
    {
      toolId: 'bash',
      verb: 'Run',
      subject: 'go test -race ./... -count=200',
      state: 'denied',
      figure: 'by you, “one package is enough to see claimed twice again”',
    },
    {
      ...flaky,
      by: 'denied by you',
      words: 'one package is enough to see claimed twice again',
      note: '',
      risk: 'high',
    },
  ),
  made(
    4,
    day + hour,
    { toolId: 'grep', verb: 'Search', subject: '"claimed twice"', figure: '14 in 5 files', durationMs: '31' },
    flaky,
  ),
  made(
    5,
    day + 2 * hour,
    {
      toolId: 'github.create_pull_request',
      verb: 'Call',
      subject: 'github.create_pull_request',
      state: 'uncertain',
      figure: 'it may have happened',
    },
    { sessionId: 's2', title: 'Release 2.15 checklist', by: 'allowed once by you', risk: 'critical' },
  ),
  made(
    6,
    4 * day,
    { toolId: 'bash', verb: 'Run', subject: 'go test ./... -run TestClaimRace -count=5000', state: 'cancelled' },
    { ...flaky, by: 'stopped by you', risk: 'high' },
  ),
  made(
    7,
    4 * day + hour,
    { verb: 'Read', subject: 'docs/adr/0014-dispatcher-retry-semantics.md', figure: '186 lines', durationMs: '3' },
    { sessionId: 's3', title: 'Approval inbox keyboard tests', caller: 'Codex' },
  ),
  made(
    8,
    12 * day,
    { toolId: 'write', verb: 'Write', subject: '../elsewhere/notes.md', state: 'denied', figure: 'no answer in time' },
    {
      sessionId: 's6',
      title: 'Bundle size after the router change',
      workspace: '/home/you/src/acme-web',
      caller: 'Claude Code',
      by: 'no answer in time',
      risk: 'high',
    },
  ),
];

const word = 'supercalifragilistic_'.repeat(12);

/** Rows that are absurdly long, hold what would not be seen, or are many. */
export const longPast: HistoryRow[] = [
  made(
    0,
    20,
    {
      toolId: 'write',
      verb: 'Write',
      subject: `src/${'deep/'.repeat(20)}${word}.ts`,
      subjectLeft: 900,
      figure: '+1,204 −31',
    },
    { title: `${word} `.repeat(3), caller: word, by: 'allowed for the session by you' },
  ),
  made(
    1,
    60,
    { toolId: 'bash', verb: 'Run', subject: `echo ${'word '.repeat(200)}`, state: 'denied' },
    { words: `${word} ${'no '.repeat(200)}`, by: 'denied by you' },
  ),
  made(
    2,
    90,
    { verb: 'Read', subject: 'src/\u202egpj.exe' },
    { title: '<b>evil</b>\u202e\u200bclient', caller: 'a\nb' },
  ),
  ...Array.from({ length: 600 }, (_, i) =>
    made(i + 3, 200 + i * 900, {
      id: `l${i}`,
      verb: i % 7 ? 'Read' : 'Write',
      subject: `src/${'deep/'.repeat(i % 9)}file_${i}.go`,
      figure: `${i} lines`,
      state: i % 11 ? 'succeeded' : 'failed',
    }),
  ),
];
