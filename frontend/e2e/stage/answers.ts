// Cards that were changed, are being changed and are answered together, at a length that is usual and at one that is not.
import type { ChangeForm } from '../../src/lib/bridge/dto';
import type { World } from '../../src/lib/bridge/fake';
import { before, card, desk, diff, session, settingsView, step } from '../../src/test/make';
import { goDiff } from './cards';
import { trust } from './rules';

const word = 'x'.repeat(3_000);
const endless = (text: string, times: number) => Array.from({ length: times }, (_, i) => `${text} ${i}`).join('\n');

const question = endless('Which of these may be done, and which of them may not', 50);

const run = (id: string, command: string, over = {}) =>
  card(
    { id, toolId: 'bash', verb: 'Run 1 command', short: 'Run', subject: command.slice(0, 300), createdAt: before(90) },
    {
      wire: 'bash',
      preview: 'command',
      command,
      diffs: [],
      paths: [],
      arguments: [],
      about: [{ label: 'Runs in', text: '/home/you/src/dispatchd' }],
      canonical: JSON.stringify({ command }),
      listing: { state: 'read', why: '', steps: [step(command.slice(0, 200))], left: 0 },
      hash: `hash-${id}`,
      shown: `card-${id}`,
      ...over,
    },
  );
const write = (id: string, path: string, unified: string, additions: number, over = {}) =>
  card(
    { id, subject: path, createdAt: before(70) },
    {
      diffs: [diff({ path, absolute: `/home/you/src/dispatchd/${path}`, unified, additions, deletions: 4 })],
      hash: `hash-${id}`,
      shown: `card-${id}`,
      ...over,
    },
  );

/** The form of the first card, and what its sender sent before you changed it. */
const form = (text: string, limits: string[]): ChangeForm => ({
  id: 'c1',
  hash: 'hash-c1',
  text: JSON.stringify({ command: text }, null, 2),
  fields: [
    {
      name: 'command',
      kind: 'text',
      given: true,
      value: JSON.stringify(text),
      required: true,
      type: 'text',
      limits,
      description: 'The command, as it is typed in a shell.',
      choices: [],
    },
    {
      name: 'timeout_ms',
      kind: 'number',
      given: true,
      value: '120000',
      required: false,
      type: 'whole number',
      limits: ['at least 1', 'at most 600000'],
      description: 'Time limit in milliseconds.',
      choices: [],
    },
    {
      name: 'run_in_background',
      kind: 'boolean',
      given: false,
      value: '',
      required: false,
      type: 'yes or no',
      limits: [],
      description: 'Goes on without it.',
      choices: [],
    },
  ],
  hidden: 0,
  marker: '[redacted:7f3a:',
  locked: false,
  revealed: false,
});

const changedTo = (before: string, after: string) => ({
  changed: {
    by: 'you',
    words: 'You changed the arguments that the agent sent.',
    hashShort: '8be13f02',
    fields: [
      { name: 'command', before, after, hidden: false },
      { name: 'timeout_ms', before: '', after: '120000', hidden: false },
    ],
  },
});

const hooks = (name: string, run: string[]) =>
  JSON.stringify({
    beforeCall: [
      { name, run },
      { name: 'licence-check', run: ['/usr/local/bin/licence-check', '--strict'] },
    ],
    afterResult: [],
  });

function withHooks(value: string) {
  const view = settingsView();
  return { ...view, fields: view.fields.map((row) => (row.key === 'hooks' ? { ...row, value, given: true } : row)) };
}

const marker = '[redacted:51a3]';
const flips = (count: number, subject: string) =>
  Array.from({ length: count }, (_, i) => ({
    callId: `f${i}`,
    toolId: i % 3 ? 'bash' : 'write',
    subject: i % 3 ? (i % 5 === 4 ? `login ${marker}` : subject) : `internal/dispatch/file_${i}.go`,
    marker: i % 5 === 4 ? marker : '',
    subjectLeft: subject.length > 200 ? 2_800 : 0,
    at: before(600 + i * 3_700),
    now: i % 4 ? 'ask' : 'allow',
    would: i % 4 ? 'allow' : 'deny',
    then: i % 2 ? 'You allowed it once' : 'You denied it, “use the helper”',
  }));

function world(cards: World['cards'], rest: Partial<World>): World {
  return {
    snapshot: { desk: desk(), sessions: [session()], approvals: cards.map((one) => one.row), trust: [] },
    cards,
    views: [{ session: session(), items: [], before: '', after: '', seq: '1' }],
    details: [],
    trusts: [],
    tools: [],
    ...rest,
  };
}

/** What is usual. */
export const answers = () =>
  world(
    [
      run(
        'c1',
        'go test ./internal/dispatch -run TestRetry',
        changedTo('go test ./...', 'go test ./internal/dispatch'),
      ),
      run('c2', 'gofmt -l internal'),
      write('c3', 'internal/dispatch/retry_backoff_policy.go', goDiff, 7, {
        diffs: [
          diff({
            path: 'internal/dispatch/retry_backoff_policy.go',
            absolute: '/home/you/src/dispatchd/internal/dispatch/retry_backoff_policy.go',
            unified: goDiff,
            additions: 7,
            deletions: 4,
            changes: 4,
          }),
        ],
      }),
    ],
    {
      settings: withHooks(hooks('no-force-push', ['/home/you/bin/no-force-push', '--branch', 'main'])),
      rehearsals: {
        '': {
          loosens: true,
          total: 412,
          looked: 412,
          flips: flips(14, 'npm test'),
          unjudged: [{ words: 'their tool is not there any more', count: 3 }],
        },
      },
    },
  );

/** What nobody would want to read. */
export const absurdAnswers = () => {
  const made = world(
    [
      run('c1', word, changedTo(endless('echo before', 40), word)),
      run('c2', endless('echo a line of a command', 400)),
      write('c3', `${'very-long-folder-name/'.repeat(20)}file.go`, goDiff, 7),
      card(
        { id: 'c4', toolId: 'demo.ask', verb: 'Ask a question', subject: 'which of them', createdAt: before(60) },
        {
          preview: 'arguments',
          diffs: [],
          arguments: [{ name: 'question', value: question, type: 'text, required', description: question }],
          canonical: JSON.stringify({ question }),
          hash: 'hash-c4',
          shown: 'card-c4',
        },
      ),
    ],
    {
      settings: withHooks(hooks(`hook-${word.slice(0, 300)}`, [`/opt/${'deep/'.repeat(60)}hook`, word.slice(0, 500)])),
      rehearsals: {
        '': { loosens: true, total: 20_000, capped: true, looked: 20_000, flips: flips(900, word.slice(0, 200)) },
      },
    },
  );
  const asks = { ...trust, opens: question.split('\n'), shut: question.split('\n') };
  made.snapshot.trust = [asks];
  return made;
};

/** The forms of a scene, in which the arguments of its first card are changed. */
export const forms: Record<string, ChangeForm[]> = {
  answers: [form('go test ./internal/dispatch -run TestRetry', [])],
  absurdAnswers: [form(word, ['at most 100000 characters', `matches ${word.slice(0, 120)}`])],
};
