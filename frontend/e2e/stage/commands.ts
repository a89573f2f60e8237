// Cards of commands: quiet and absurd ones, and what may be allowed of them for longer.
import type { CommandListing, MatchView } from '../../src/lib/bridge/dto';
import type { World } from '../../src/lib/bridge/fake';
import { before, card, choice, classOf, desk, offer, session, settingsView, step } from '../../src/test/make';

const listing = (steps: CommandListing['steps'], over: Partial<CommandListing> = {}): CommandListing => ({
  state: 'read',
  why: '',
  steps,
  left: 0,
  ...over,
});

/** Where a character stands in a text, as the desk tells it. */
export const oddIn = (text: string, character: string, name: string) =>
  [...text.matchAll(new RegExp(character, 'gu'))].map(({ index, 0: { length } }) => ({ at: index, length, name }));

const bash = (id: string, command: string, over: Parameters<typeof card>[1]) =>
  card(
    {
      id,
      toolId: 'bash',
      verb: 'Run a command',
      short: 'Run',
      subject: command.slice(0, 120),
      risk: 'high',
      createdAt: before(90),
    },
    {
      wire: 'bash',
      preview: 'command',
      paths: [{ path: '.', absolute: '/home/you/src/dispatchd', access: 'read', zone: 'workspace', linked: false }],
      about: [{ label: 'Runs in', text: '/home/you/src/dispatchd' }],
      command,
      arguments: [],
      canonical: JSON.stringify({ command }),
      hold: true,
      mustSee: true,
      offers: [],
      why: [
        {
          layer: 'preset',
          verdict: 'ask',
          text: 'Preset Default asks before a command runs; preset Full would run this one, which stays inside the workspace.',
          setting: 'presets',
        },
      ],
      class: classOf({ sideEffect: 'Runs code', risk: 'high' }),
      ...over,
    },
  );

const rules = (words: string[]) =>
  [words.join(' '), ...words.map((_, i) => `${words.slice(0, words.length - i).join(' ')} *`)].map((rule) =>
    choice(
      rule,
      rule.endsWith(' *') ? `Runs commands that begin with \`${rule.slice(0, -2)}\`` : `Runs \`${rule}\`, exactly so`,
    ),
  );

export const short = bash('k1', 'git log --oneline -5 && git status', {
  listing: listing([step('git log --oneline -5'), step('git status')]),
  offers: [
    offer({ text: 'git log --oneline -5', choices: rules(['git', 'log', '--oneline', '-5']) }),
    offer({ text: 'git status', choices: rules(['git', 'status']) }),
  ],
});

export const matches: Record<string, Partial<MatchView>> = {
  'git log *': {
    refused: '',
    choice: choice('git log *', 'Runs commands that begin with `git log`'),
    calls: {
      looked: 40,
      all: 12,
      part: 3,
      denied: 1,
      latest: [
        { id: 'm1', text: 'git log --oneline -20', odd: [], at: before(300), part: false, denied: false },
        {
          id: 'm2',
          text: 'git log -p internal/dispatch/retry_backoff_policy.go',
          odd: [],
          at: before(900),
          part: false,
          denied: true,
        },
        { id: 'm3', text: 'git log -1 && git push --force', odd: [], at: before(4_000), part: true, denied: false },
      ],
    },
    lets: [{ text: 'git log', why: '' }],
    stops: [
      { text: 'git log --output=f', why: 'it writes a file' },
      { text: 'git log > out.txt', why: 'it writes to a file by a redirect' },
      { text: 'git log && rm -rf build', why: 'another command follows that is not covered' },
    ],
  },
  'git *': {
    refused: 'This is too wide: what follows those words decides what is run. Add the next word.',
    choice: choice('git *', 'Runs commands that begin with `git`'),
  },
};

const lines = Array.from({ length: 400 }, (_, i) => `go test ./internal/part${i} -run 'Test${i}' -count=1`);
export const tall = bash('k2', lines.join('\n'), {
  listing: listing(lines.map((line) => step(line.replaceAll("'", '')))),
});

const absurd = 'x'.repeat(900);
export const wide = bash(
  'k3',
  `cat ${absurd} ../../${'deep/'.repeat(60)}secret.txt | sudo tee ${absurd.slice(0, 300)}`,
  {
    restricted: true,
    noGrant: 'Once only: the command is restricted.',
    listing: listing([
      step(`cat ${absurd} ../../${'deep/'.repeat(60)}secret.txt`, [
        { effect: 'reads', subject: `/home/you/${'deep/'.repeat(60)}secret.txt`, outside: true },
        { effect: 'reads', subject: absurd },
      ]),
      step(`sudo tee ${absurd.slice(0, 300)}`, [
        { effect: 'privileged', words: 'runs as another user', restricted: true },
      ]),
      step(`tee ${absurd.slice(0, 300)}`, [{ effect: 'writes', subject: absurd.slice(0, 300) }], { depth: 1 }),
    ]),
    class: classOf({ sideEffect: 'Runs code', risk: 'critical' }),
  },
);
wide.row.risk = 'critical';

const names = ['go vet ./...', 'go build ./...', 'npm run lint', 'cat README.md', 'git diff --stat', 'ls -la internal'];
const thirty = Array.from(
  { length: 30 },
  (_, i) => `${names[i % names.length] ?? ''}${i < names.length ? '' : ` part${i}`}`,
);
export const many = bash('k4', thirty.join(' &&\n'), {
  listing: listing(
    thirty.map((text, i) =>
      step(text, i % 5 === 3 ? [{ effect: 'reads', subject: `part${i}/README.md` }] : [], {
        depth: i % 7 === 6 ? 1 : 0,
      }),
    ),
  ),
  offers: thirty.map((text, i) =>
    i % 6 === 2
      ? offer({ text, why: 'it runs a script of package.json that may do anything' })
      : offer({ text, covered: i % 6 === 4, choices: rules(text.split(' ')) }),
  ),
});

const hiddenText = 'ls -la && p\u0430th=1 gіt add retry\u200b\u200b\u200b_policy.go # \u202edone';
const odd = [
  ...oddIn(hiddenText, '\u0430', 'Cyrillic small letter a, looks like a'),
  ...oddIn(hiddenText, '\u0456', 'Cyrillic small letter Byelorussian-Ukrainian i, looks like i'),
  ...oddIn(hiddenText, '\u200b+', 'zero width space'),
  ...oddIn(hiddenText, '\u202e', 'right-to-left override'),
].toSorted((a, b) => a.at - b.at);
const shownText = 'gіt add retry\u200b\u200b\u200b_policy.go';
export const hidden = bash('k5', hiddenText, {
  odd,
  noGrant: 'Once only: it holds characters that cannot be seen or may be taken for others.',
  listing: listing([
    step('ls -la'),
    step(shownText, [{ effect: 'runs', words: 'is a program that is not known' }], {
      odd: [
        ...oddIn(shownText, '\u0456', 'Cyrillic small letter Byelorussian-Ukrainian i, looks like i'),
        ...oddIn(shownText, '\u200b+', 'zero width space'),
      ],
    }),
  ]),
});

export const dynamic = bash(
  'k6',
  'timeout 60 sh -c "curl -fsS $URL -H \'Authorization: Bearer [redacted:51a3]\' | tee $(date +%F).log" &',
  {
    noGrant: 'Once only: nobody can say what another such command would do.',
    hidden: [
      { kind: 'token', count: 1, words: '1 token' },
      { kind: 'password', count: 1, words: '1 password' },
    ],
    listing: listing(
      [
        step('timeout 60 sh -c curl…', [], { dynamic: true, background: true }),
        step(
          'curl -fsS <dynamic> -H Authorization: Bearer [redacted:51a3]',
          [{ effect: 'reaches', words: 'reaches another machine' }],
          { depth: 1, dynamic: true },
        ),
        step('tee <dynamic>.log', [{ effect: 'writes', words: 'writes a file that is not known' }], {
          depth: 1,
          dynamic: true,
        }),
        step('date +%F', [], { depth: 2 }),
      ],
      { state: 'dynamic', why: 'the variable URL is set elsewhere' },
    ),
  },
);

export const unread = bash('k7', 'echo "never closed', {
  noGrant: 'Once only: the command could not be read.',
  listing: listing([], { state: 'unread', why: 'a quote is not closed' }),
});

export const quiet = bash('k8', 'git status', {
  hold: false,
  mustSee: false,
  listing: listing([step('git status')]),
  offers: [offer({ text: 'git status', choices: rules(['git', 'status']) })],
});
quiet.row.risk = 'low';

const all = [short, tall, wide, many, hidden, dynamic, unread, quiet];

/** Commands of every kind. */
export const commands = (): World => ({
  snapshot: { desk: desk(), sessions: [session()], approvals: all.map((one) => one.row), trust: [] },
  cards: all,
  views: [{ session: session(), items: [], before: '', after: '', seq: '1' }],
  details: [],
  trusts: [],
  tools: [],
  settings: settingsView(),
  matches,
});
