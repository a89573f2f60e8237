// The sessions of the full scene, what happened in the first of them, and what is read of its calls.
import { before, callItem, callRow, detail, diff, says, session, textPart } from '../../src/test/make';
import { goDiff } from './cards';
import { linting, ran, served, servedDetail } from './running';

const failed = callRow({
  id: 'c7',
  toolId: 'bash',
  verb: 'Run',
  subject: 'go test ./internal/dispatch/... -count=1',
  figure: 'exit 1',
  failed: true,
  durationMs: '4100',
});
const wrote = callRow({
  id: 'c8',
  toolId: 'write',
  verb: 'Write',
  state: 'succeeded',
  figure: '+7 −4',
  durationMs: '12',
});
const read = callRow({ id: 'c2' });

export const timeline = [
  says('m1', 'user', 'The dispatcher hammers a failing host. Cap the delay, add jitter, and keep the public names.'),
  says('m2', 'assistant', 'I will read the policy and its tests first, then change the delay in one place.'),
  callItem({ id: 'c1', verb: 'List', subject: 'internal/dispatch', figure: '14 files', durationMs: '2' }),
  callItem(read),
  callItem({ id: 'c3', verb: 'Calculate', subject: '2^10 * 0.5', figure: '', durationMs: '1' }),
  callItem({ id: 'c4', verb: 'Run', subject: 'rm -rf ~/.cache/go-build', state: 'denied', figure: 'by you' }),
  callItem({
    id: 'c5',
    verb: 'Fetch',
    subject: 'https://pkg.go.dev/math/rand/v2',
    state: 'cancelled',
    figure: '',
    durationMs: '2000',
  }),
  callItem({ id: 'c6', verb: 'Call', subject: 'deploy staging', state: 'uncertain', figure: 'it may have happened' }),
  callItem(failed),
  callItem(wrote),
  callItem(served),
  callItem(linting),
  callItem({ id: 'c10', verb: 'Write', state: 'waiting_for_approval', figure: '', approvalId: 'a1', durationMs: '0' }),
];

export const sessions = [
  session({ waiting: 2, busy: true }),
  session({ id: 's2', title: 'Release 2.15 checklist', waiting: 1, preset: 'review', updatedAt: before(180) }),
  session({
    id: 's3',
    title: 'Approval inbox keyboard tests',
    caller: 'Codex',
    callerKind: 'mcp',
    waiting: 2,
    updatedAt: before(240),
  }),
  session({ id: 's4', title: 'Why is TestClaimRace flaky on arm64', preset: 'audit', updatedAt: before(90_000) }),
  session({
    id: 's5',
    title: 'Move settings form to field-level errors',
    workspace: '/home/you/src/acme-web',
    updatedAt: before(18_000),
  }),
  session({
    id: 's6',
    title: 'Bundle size after the router change',
    workspace: '/home/you/src/acme-web',
    caller: 'Claude Code',
    callerKind: 'mcp',
    connected: false,
    updatedAt: before(520_000),
  }),
];

export const details = [
  detail(failed, {
    read: [
      textPart(
        '$ go test ./internal/dispatch/... -count=1\n=== RUN   TestRetryBackoffCeiling\n=== RUN   TestClaimRace\n\u001b[31m--- FAIL: TestClaimRace (0.41s)\u001b[0m\n    claim_test.go:88: claimed twice: job 7f3a\nFAIL    dispatchd/internal/dispatch  4.071s\nexit status 1',
      ),
    ],
    run: ran({ ending: 'Exit code 1', failed: true, logPath: '/home/you/.countersign/output/s1/bash-c7.txt' }),
    truncated: true,
    omitted: '1,143 lines left out of 1,396',
    spillPath: '/home/you/.countersign/output/s1/bash-c7.txt',
    outputBytes: '117657',
    outputs: [{ sessionId: 's1', name: 'bash-c7.txt', bytes: 117_657, gone: false }],
    decidedBy: 'a grant for this session',
    outputTrust: 'Outside, not trusted',
  }),
  detail(linting, { endedAt: '', run: ran({ ending: '', dir: '', logPath: '' }) }),
  detail(served, servedDetail),
  detail(wrote, {
    diffs: [diff({ unified: goDiff, additions: 7, deletions: 4 })],
    read: [textPart('Wrote 128 lines.')],
    decidedBy: 'you',
  }),
  detail(read, {
    read: [textPart('     1\tpackage dispatch\n     2\t\n     3\timport "time"')],
  }),
];
