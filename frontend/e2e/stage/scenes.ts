import type { World } from '../../src/lib/bridge/fake';
import {
  approvalRow,
  before,
  callItem,
  callRow,
  card,
  classOf,
  desk,
  detail,
  diff,
  field,
  runs,
  says,
  session,
  settingsView,
  standing,
  tool,
  toolSet,
} from '../../src/test/make';
import { changes } from './changes';
import { connectPlans, connects, oddConnects } from './connects';
import { goFile } from './files';

import { hostile, many, painting } from './load';
import { absurd, linting, manyRunning, printed, ran, running, served, servedDetail } from './running';
import { oddOutputs, outputs } from './outputs';
import { longPast, past } from './past';

const goDiff = `--- a/internal/dispatch/retry_backoff_policy.go
+++ b/internal/dispatch/retry_backoff_policy.go
@@ -41,9 +41,12 @@ type RetryBackoffPolicy
 // Next returns how long to wait before the given attempt. Attempts count from 1.
 func (p *RetryBackoffPolicy) Next(attempt int) time.Duration {
-	if attempt > p.MaxAttempts {
+	if attempt < 1 || attempt > p.MaxAttempts {
 		return Stop
 	}
-	delay := p.Base * time.Duration(math.Pow(2, float64(attempt)))
+	delay := p.Base << uint(attempt-1)
+	if delay > p.Ceiling || delay <= 0 { // a shift that overflows comes out negative
+		delay = p.Ceiling
+	}

-	return delay
+	return delay/2 + time.Duration(p.rand.Int63n(int64(delay/2)+1))
 }
@@ -112,4 +115,4 @@ func (d *Dispatcher) probe
 func (d *Dispatcher) probe(ctx context.Context, req *http.Request) error {
-	req.Header.Set("Authorization", "Bearer "+os.Getenv("DISPATCH_PROBE_TOKEN"))
+	req.Header.Set("Authorization", "Bearer "+d.token)
 	return d.withRetry(ctx, req, d.policy.Clone(WithCeiling(30*time.Second), WithJitterSource(d.rand)))
 }
`;

const newFile = Array.from({ length: 24 }, (_, i) => `+export const line${i + 1} = ${i};`).join('\n');
const hugeDiff = `--- a/x\n+++ b/x\n@@ -0,0 +1,9000 @@\n${Array.from({ length: 9_000 }, (_, i) => `+const value${i} = "${'abc '.repeat(i % 40)}"; // ${i}`).join('\n')}\n`;

const outside = card(
  {
    id: 'a2',
    toolId: 'read',
    verb: 'Read 1 protected file',
    subject: '/home/you/.config/gh/hosts.yml',
    risk: 'critical',
    caller: 'Codex',
    sessionId: 's3',
    sessionTitle: 'Approval inbox keyboard tests',
    createdAt: before(240),
    callerLeft: true,
    leftWhy: 'left',
  },
  {
    wire: 'read',
    preview: 'arguments',
    diffs: [],
    paths: [
      {
        path: '/home/you/.config/gh/hosts.yml',
        absolute: '/home/you/.config/gh/hosts.yml',
        access: 'read',
        zone: 'outside',
        linked: false,
      },
    ],
    arguments: [
      {
        name: 'file_path',
        value: '/home/you/.config/gh/hosts.yml',
        type: 'text, required',
        description: 'File to read.',
      },
      { name: 'offset', value: '1', type: 'whole number', description: 'First line to return.' },
      { name: 'limit', value: '2000', type: 'whole number', description: 'Most lines to return.' },
    ],
    canonical: '{"file_path":"/home/you/.config/gh/hosts.yml","limit":2000,"offset":1}',
    offerKey: '',
    offerWords: '',
    noGrant: 'Once only: a protected path is never granted.',
    restricted: true,
    dangers: ['holds passwords or tokens'],
    hold: true,
    moved: 'the file changed after you allowed it. Nothing was read.',
    why: [
      {
        layer: 'paths',
        verdict: 'ask',
        text: 'A protected path is restricted: it always asks, whatever the preset.',
        setting: '',
      },
      { layer: 'lock', verdict: 'ask', text: 'This workspace was trusted today.', setting: 'trust' },
    ],
    class: classOf({ sideEffect: 'Reaches this machine outside the workspace', risk: 'critical' }),
  },
);

const command = card(
  {
    id: 'a0',
    toolId: 'bash',
    verb: 'Run a command',
    subject:
      'cd internal/dispatch && go test ./... && git add retry_backoff\u200b_policy.go && npx --yes @acme/notes@latest',
    risk: 'high',
    createdAt: before(360),
  },
  {
    wire: 'bash',
    preview: 'command',
    paths: [{ path: '.', absolute: '/home/you/src/dispatchd', access: 'read', zone: 'workspace', linked: false }],
    about: [
      { label: 'Runs in', text: '/home/you/src/dispatchd' },
      {
        label: 'Time limit',
        text: '120s. If it still runs then, it goes on in the background, where it is listed and can be stopped.',
      },
    ],
    command:
      'cd internal/dispatch && go test ./... -run \'TestRetry|TestBackoff\' -count=1 > ../../../reports/retry-2026-11-30.txt 2>&1\ngit add retry_backoff\u200b_policy.go retry_backoff_policy_test.go && npx --yes @acme/release-notes-generator@latest --from v2.14.0 --to "$(git describe --tags --abbrev=0)"',
    arguments: [
      { name: 'timeout_ms', value: '120000', type: 'whole number', description: 'Time limit in milliseconds.' },
    ],
    hold: true,
    restricted: true,
    offerKey: '',
    offerWords: '',
    noGrant: 'Once only: nobody can say what another command would do.',
    why: [
      {
        layer: 'matrix',
        verdict: 'ask',
        text: 'The command is not read word by word here, so it may do anything: it is asked for every time, in every preset.',
        setting: '',
      },
    ],
    class: classOf({ sideEffect: 'Runs code', risk: 'high' }),
  },
);

const edit = card({}, { diffs: [diff({ unified: goDiff, additions: 7, deletions: 4 })] });
const created = card(
  {
    id: 'a3',
    verb: 'Create 1 file',
    subject: 'web/src/lib/components/approvals/ApprovalInboxKeyboardNavigation.test.ts',
    caller: 'Codex',
    sessionId: 's3',
    sessionTitle: 'Approval inbox keyboard tests',
    createdAt: before(51),
  },
  {
    diffs: [
      diff({
        path: 'web/src/lib/components/approvals/ApprovalInboxKeyboardNavigation.test.ts',
        unified: `@@ -0,0 +1,24 @@\n${newFile}\n\\ No newline at end of file\n`,
        additions: 24,
        created: true,
        notes: ['Line ends are CRLF.', 'The file mode becomes 0644.'],
      }),
    ],
    offerKey: 'write web/src/lib/components/approvals/ApprovalInboxKeyboardNavigation.test.ts',
  },
);
const external = card(
  {
    id: 'a4',
    toolId: 'demo.external_write',
    verb: 'Write to the demo service',
    subject: 'staging',
    risk: 'low',
    createdAt: before(12),
  },
  {
    wire: 'demo_external_write',
    set: 'demo',
    preview: 'arguments',
    paths: [],
    arguments: [
      { name: 'target', value: 'staging', type: 'text, required', description: 'Where the demo write goes.' },
      { name: 'value', value: 'release 2.15', type: 'text, required', description: 'What is written.' },
    ],
    canonical: '{"target":"staging","value":"release 2.15"}',
    offerKey: '',
    offerWords: '',
    noGrant: 'Once only: what leaves this machine is never granted.',
    class: classOf({ sideEffect: 'Changes something outside' }),
  },
);

const longWord = 'supercalifragilistic_'.repeat(40);
const long = card(
  {
    verb: `Call ${longWord} from a tool set whose name was written by somebody who did not want this card to be read`,
    subject: `/home/you/${'very-long-folder-name/'.repeat(60)}\u202egpj.exe`,
    caller: 'A client that calls itself by a very long name '.repeat(6),
    sessionTitle: 'A session title that goes on and on '.repeat(8),
    risk: 'high',
  },
  {
    preview: 'arguments',
    diffs: [],
    hold: true,
    restricted: true,
    wire: longWord,
    paths: [
      {
        path: `/home/you/${'very-long-folder-name/'.repeat(60)}\u202egpj.exe`,
        absolute: `/home/you/${'very-long-folder-name/'.repeat(60)}\u202egpj.exe`,
        access: 'write',
        zone: 'outside',
        linked: true,
      },
    ],
    arguments: [
      {
        name: longWord,
        value: 'x'.repeat(6_000),
        type: 'text, required',
        description: 'A description without an end. '.repeat(40),
      },
      { name: 'b', value: 'line\n'.repeat(200), type: 'text', description: '' },
    ],
    canonical: `{"a":"${'x'.repeat(9_000)}"}`,
    noGrant: 'Once only: a path outside the workspace, reached through a link, is never granted to anybody.',
    offerKey: '',
    moved: 'the arguments changed after you allowed it. '.repeat(6),
    why: Array.from({ length: 9 }, (_, i) => ({
      layer: 'paths',
      verdict: 'ask',
      text: `Reason ${i + 1}: ${'because it is so '.repeat(20)}`,
      setting: 'presets',
    })),
  },
);
const hugeCard = card(
  { id: 'a9', createdAt: before(30) },
  { diffs: [diff({ path: 'src/huge.ts', unified: hugeDiff, additions: 9_000, created: true })] },
);

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

const timeline = [
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

const off = standing({
  answer: 'off',
  short: 'Off',
  words: 'It is refused: the set is off.',
  why: [
    {
      layer: 'set',
      verdict: 'deny',
      text: 'The set is off, so its tools are offered to nobody and every call of them is refused.',
      setting: 'toolSets',
    },
  ],
});
const reads = classOf({ sideEffect: 'Reads the workspace', risk: 'low', parallel: true });
const both = ['plan', 'work'];

const sets = [
  toolSet({
    tools: [
      tool({ id: 'read', wire: 'read', catalogs: both, does: 'Reads', class: reads, standing: runs(), calls: '611' }),
      tool(),
      tool({
        id: 'grep',
        wire: 'grep',
        catalogs: both,
        does: 'Reads',
        class: reads,
        standing: runs(),
        available: false,
        reason: 'ripgrep is missing. Install it, or put rg beside the program.',
        calls: '176',
      }),
      tool({ id: 'glob', wire: 'glob', catalogs: both, does: 'Reads', class: reads, standing: runs(), calls: '64' }),
    ],
  }),
  toolSet({
    name: 'exact',
    words: 'Exact arithmetic and the time.',
    calls: '37',
    tools: [
      tool({
        id: 'math.calculate',
        wire: 'math_calculate',
        catalogs: both,
        does: 'No effect',
        standing: runs(),
        class: classOf({ sideEffect: 'Changes nothing', risk: 'low' }),
        calls: '28',
        failedAt: before(4_000),
        failedWords: 'Failed',
      }),
      tool({
        id: 'system.current_time',
        wire: 'system_current_time',
        catalogs: both,
        does: 'No effect',
        standing: runs(),
        class: classOf({ sideEffect: 'Changes nothing', risk: 'low' }),
        calls: '9',
      }),
    ],
  }),
  toolSet({
    name: 'demo',
    enabled: false,
    status: 'disabled',
    words: 'Writes to a pretended service, to try approvals.',
    calls: '0',
    tools: [
      tool({
        id: 'demo.external_write',
        wire: 'demo_external_write',
        does: 'External',
        class: classOf({
          sideEffect: 'Changes something outside this machine',
          risk: 'high',
          scopes: ['demo.write'],
          idempotency: 'Repeating does it again',
        }),
        standing: off,
        calls: '0',
        fields: [
          field({
            name: 'environment',
            type: 'one of 3',
            choices: ['dev', 'staging', 'production'],
            limits: [],
            description: 'Where it goes.',
          }),
          field({
            name: 'steps',
            type: 'list of groups of fields',
            limits: ['1 to 50 entries'],
            description: 'What to do, in order.',
          }),
          field({ name: 'name', depth: 1, description: 'Name of the step.' }),
          field({ name: 'retry', depth: 1, type: 'group of fields', required: false, limits: [], description: '' }),
          field({
            name: 'max_wait_seconds',
            depth: 2,
            type: 'whole number',
            required: false,
            limits: ['5 to 900'],
            default: '300',
            description: 'How long to wait for health.',
          }),
        ],
      }),
    ],
  }),
];

const grants = [
  {
    id: 'g1',
    sessionId: 's1',
    session: 'Retry backoff for the dispatcher',
    caller: 'Built-in agent',
    toolId: 'write',
    verb: 'Write',
    subject: 'internal/dispatch/retry_backoff_policy.go',
    words: 'This one file, by this caller, with any content.',
    at: before(240),
  },
  {
    id: 'g2',
    sessionId: 's2',
    session: 'Release 2.15 checklist',
    caller: 'Claude Code',
    toolId: 'http_request',
    verb: 'Read from',
    subject: 'pkg.go.dev',
    words: 'Reads only, any path on this host.',
    at: before(3_700),
  },
];

const trust = {
  root: '/home/you/src/acme-web',
  workspace: '/home/you/src/acme-web/packages/site',
  askedBy: 'Claude Code',
  askerKind: 'mcp',
  sessionId: 's6',
  createdAt: before(20),
  opens: ['Writes inside this folder, each after you allowed it.'],
  shut: [
    'Every change in this folder is denied until you say Yes. Reading works.',
    'Paths outside this folder ask, before and after.',
  ],
  postpone: false,
  waiting: 1,
};

const sessions = [
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

const details = [
  detail(failed, {
    read: [
      {
        type: 'text',
        text: '$ go test ./internal/dispatch/... -count=1\n=== RUN   TestRetryBackoffCeiling\n=== RUN   TestClaimRace\n\u001b[31m--- FAIL: TestClaimRace (0.41s)\u001b[0m\n    claim_test.go:88: claimed twice: job 7f3a\nFAIL    dispatchd/internal/dispatch  4.071s\nexit status 1',
        mime: '',
        handle: '',
      },
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
    read: [{ type: 'text', text: 'Wrote 128 lines.', mime: '', handle: '' }],
    decidedBy: 'you',
  }),
  detail(read, {
    read: [{ type: 'text', text: '     1\tpackage dispatch\n     2\t\n     3\timport "time"', mime: '', handle: '' }],
  }),
];

// Names that would pass for others, on a desk whose disk is full.
const oddName = '<b>evil</b>\u202e\u200bclient name';
const oddPaths = ['line1\nAllow once/x.txt', 'src/\u202egpj.exe', ' src/ a  b.ts ', './~/.bashrc', 'src/cart\u200b.ts'];
const oddCards = oddPaths.map((path, i) =>
  card(
    {
      id: `o${i}`,
      verb: i % 2 ? 'Create 1 protected file' : 'Create 1 file',
      subject: path,
      caller: oddName,
      sessionTitle: `${oddName}, 14:03`,
      createdAt: before(60 - i),
      risk: i % 2 ? 'high' : 'medium',
    },
    {
      diffs: [
        diff({
          path,
          absolute: `/w/${path}`,
          created: true,
          additions: i ? 1 : 0,
          unified: i ? '@@ -0,0 +1,1 @@\n+x\n' : '',
        }),
      ],
      paths: [{ path, absolute: `/w/${path}`, access: 'write', zone: 'workspace', linked: i === 1 }],
      hold: i % 2 === 1,
      restricted: i % 2 === 1,
    },
  ),
);
const oddEnded = card(
  { id: 'oe', status: 'approved', caller: oddName },
  {
    ended: 'Allowed, but not run: a file changed after the card was made.',
    diffs: [diff({ unified: goDiff, additions: 7, deletions: 4 })],
  },
);
const oddSession = session({
  id: 'o',
  title: `${oddName}, 14:03`,
  caller: oddName,
  callerKind: 'mcp',
  connected: false,
  preset: '',
  catalog: '',
});

const worlds: Record<string, () => World> = {
  changes,
  many,
  painting,
  hostile,
  outputs: oddOutputs,
  odd: () => ({
    connect: oddConnects,
    snapshot: {
      desk: desk({
        callers: [oddName],
        storeHealthy: false,
        storeWords:
          'The disk is full, so no call can be recorded and none runs. Free some space; Countersign goes on by itself.',
      }),
      sessions: [oddSession],
      approvals: oddCards.map((one) => one.row),
      trust: [{ ...trust, postpone: true, waiting: 2 }],
    },
    cards: [...oddCards, oddEnded],
    views: [
      {
        session: oddSession,
        items: [
          callItem({
            id: 'd1',
            verb: 'Write',
            subject: 'a\nb.ts',
            state: 'denied',
            figure: 'by you, “use the helper that is there”',
            durationMs: '0',
          }),
          callItem({ id: 'd2', verb: 'Write', state: 'cancelled', figure: 'the caller left', durationMs: '0' }),
          callItem({
            id: 'd3',
            verb: 'Write',
            state: 'waiting_for_approval',
            figure: 'for your trust in the folder',
            durationMs: '0',
          }),
        ],
        before: '',
        after: '',
        seq: '1',
      },
    ],
    details: [
      detail(callRow({ id: 'd1' }), {
        decision: [
          { layer: 'matrix', verdict: 'allow', text: 'It writes inside the workspace.', setting: '' },
          { layer: 'preset', verdict: 'ask', text: 'Preset Default asks before every write.', setting: 'presets' },
          { layer: 'grant', verdict: 'ask', text: 'No grant of this session covers it.', setting: 'grants' },
          { layer: 'operator', verdict: 'deny', text: 'You denied it.', setting: '' },
        ],
      }),
    ],
    trusts: [],
    tools: [],
  }),
  full: () => ({
    connect: connects,
    plans: connectPlans,
    snapshot: {
      desk: desk({ processes: 2 }),
      sessions,
      approvals: [command, outside, edit, created, external].map((one) => one.row),
      trust: [trust],
    },
    cards: [command, outside, edit, created, external],
    views: sessions.map((one) => ({
      session: one,
      items: one.id === 's1' ? timeline : [],
      before: '',
      after: '',
      seq: '1',
    })),
    details,
    files: { 'internal/dispatch/retry_backoff_policy.go': goFile(140) },
    trusts: [
      { root: '/home/you/src/dispatchd', answer: 'yes', at: before(80_000) },
      { root: '/home/you/Downloads/some-repository', answer: 'no', at: before(300_000) },
    ],
    tools: sets,
    settings: settingsView({ grants, unknown: ['zoom'] }),
    history: past,
    outputs: outputs(),
    processes: running(),
    printed,
  }),
  empty: () => ({
    snapshot: { desk: desk({ callers: [] }), sessions: [], approvals: [], trust: [] },
    cards: [],
    views: [],
    details: [],
    trusts: [],
    tools: [],
    settings: settingsView(),
  }),
  broken: () => ({
    snapshot: {
      desk: desk({ callers: [], profile: 'strict', readOnly: true }),
      sessions: [],
      approvals: [],
      trust: [],
    },
    cards: [],
    views: [],
    details: [],
    trusts: [],
    tools: sets,
    settings: settingsView({
      fault: 'the value of "preset" must be default, edit, review, audit or full',
      differs: ['catalog', 'allowedDomains'],
      unknown: ['zoom', 'x'.repeat(300)],
      unknownSets: ['codeing'],
    }),
  }),
  /** A change far down in a file. */
  far: () => {
    const deep = goDiff.replace(
      /^@@ -(\d+)(.*) \+(\d+)/gm,
      (_, old, count, now) => `@@ -${+old + 123_000}${count} +${+now + 123_000}`,
    );
    const one = card({}, { diffs: [diff({ unified: deep, additions: 7, deletions: 4 })] });
    return {
      snapshot: { desk: desk(), sessions: [session()], approvals: [one.row], trust: [] },
      ...{ cards: [one], views: [], details: [], trusts: [], tools: [] },
    };
  },
  long: () => {
    const many = Array.from({ length: 400 }, (_, i) =>
      callItem({
        id: `l${i}`,
        verb: i % 7 ? 'Read' : 'Run',
        subject: i % 7 ? `src/${'deep/'.repeat(i % 12)}file_${i}.go` : `echo ${'word '.repeat(i)}`,
        at: before(4_000 - i),
      }),
    );
    const one = session({
      title: 'A session title that goes on and on '.repeat(8),
      caller: long.row.caller,
      callerKind: 'mcp',
    });
    return {
      snapshot: {
        desk: desk({
          callers: [long.row.caller],
          workspace: `/home/you/${'x'.repeat(200)}`,
          readOnly: true,
          processes: 1_221,
        }),
        sessions: [
          one,
          ...Array.from({ length: 60 }, (_, i) =>
            session({ id: `n${i}`, title: `Session ${i}`, updatedAt: before(100 + i * 60) }),
          ),
        ],
        approvals: [
          long.row,
          hugeCard.row,
          ...Array.from({ length: 40 }, (_, i) =>
            approvalRow({ id: `x${i}`, createdAt: before(25), subject: `src/file_${i}.go` }),
          ),
        ],
        trust: [],
      },
      cards: [long, hugeCard],
      views: [
        { session: one, items: [says('m0', 'user', 'word '.repeat(900)), ...many], before: '', after: '', seq: '1' },
      ],
      details: many.map((item) =>
        detail(item.call ?? callRow(), {
          read: [{ type: 'text', text: 'y'.repeat(20_000), mime: '', handle: '' }],
          run: item.call?.verb === 'Run' ? ran({ dir: `/home/you/${'deep/'.repeat(60)}` }) : ran({ kind: '' }),
        }),
      ),
      history: longPast,
      processes: manyRunning(),
      printed: { l7: { printed: absurd } },
      trusts: [],
      tools: [
        {
          ...sets[0]!,
          name: longWord,
          words: 'words '.repeat(100),
          calls: '9007199254740993',
          tools: [
            tool({
              id: longWord.slice(0, 96),
              wire: longWord.slice(0, 64),
              description: 'z '.repeat(3_000),
              calls: '9007199254740993',
              failedAt: before(400_000),
              failedWords: 'Result too large',
              class: classOf({ scopes: [longWord, 'a.b'] }),
              fields: [
                field({ name: longWord, type: 'list of list of text or group of fields', default: `"${longWord}"` }),
                ...Array.from({ length: 7 }, (_, i) =>
                  field({ name: `level_${i}_${longWord.slice(0, 30)}`, depth: i }),
                ),
                field({
                  name: 'pick',
                  type: 'one of 60',
                  choices: Array.from({ length: 60 }, (_, i) => `choice-${i}`),
                }),
              ],
              schema: `{"${longWord}": ${'[1, 2, 3], '.repeat(400)}}`,
            }),
            ...Array.from({ length: 300 }, (_, i) => tool({ id: `bulk.tool_${i}`, wire: `bulk_tool_${i}` })),
          ],
        },
      ],
      settings: settingsView({
        grants: Array.from({ length: 30 }, (_, i) => ({
          ...grants[0]!,
          id: `g${i}`,
          subject: `src/${longWord}/${i}.go`,
        })),
        unknown: Array.from({ length: 30 }, (_, i) => `key${i}`),
      }),
    };
  },
};

/** The world of a scene by its name; an unknown one is the full one. */
export function scene(name: string): World {
  return (worlds[name] ?? worlds.full!)();
}
