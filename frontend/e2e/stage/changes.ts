// A session that searched and changed much, and a card that changes several files.
import type { FileDiff, MatchSpan } from '../../src/lib/bridge/dto';
import type { World } from '../../src/lib/bridge/fake';
import { before, callItem, callRow, card, desk, detail, diff, says, session, textPart } from '../../src/test/make';
import { goFile } from './files';

const spans = (text: string, wanted: string): MatchSpan[] => {
  const found: MatchSpan[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1))
    found.push({ from: at, to: at + wanted.length });
  return found;
};
const match = (line: number, text: string, wanted = 'Duration') => ({ line, text, spans: spans(text, wanted) });

const folder = 'internal/dispatch';
const policy = `${folder}/retry_backoff_policy.go`;
const groups = [
  {
    path: policy,
    lines: [
      match(4, '\tbyKey map[string]time.Duration'),
      match(7, 'func (w *Waits) Add(host string, d time.Duration) int {'),
    ],
  },
  {
    path: `${folder}/with a\nbreak/ and\u202egpj.go`,
    lines: [match(12, `\u001b[2J const Duration = "${'Duration '.repeat(20)}"…`)],
  },
  {
    path: 'web/src/lib/components/approvals/a_very_long_name_that_goes_on_and_on_and_has_no_end_in_sight.test.ts',
    lines: Array.from({ length: 9 }, (_, i) =>
      match(i * 1_234 + 88, `  expect(Duration.of(${i})).toBe(Duration.zero);`),
    ),
  },
];
const files = Array.from({ length: 14 }, (_, i) => ({
  path: i % 3 ? `${folder}/part_${i}/handler.go` : `web/src/${'deep/'.repeat(i)}index.ts`,
  modifiedAt: before(60 * 4 ** i),
}));

const grep = callRow({
  id: 'c1',
  toolId: 'grep',
  verb: 'Search',
  subject: 'Duration',
  figure: '412 in 5 files',
  durationMs: '38',
});
const glob = callRow({
  id: 'c2',
  toolId: 'glob',
  verb: 'Glob',
  subject: '**/*.{go,ts}',
  figure: '314 files',
  durationMs: '21',
});
const edit = callRow({ id: 'c3', toolId: 'edit', verb: 'Edit', subject: policy, figure: '+450 −2', durationMs: '9' });

const manyHunks = Array.from(
  { length: 60 },
  (_, i) => `@@ -${i * 40 + 10},3 +${i * 40 + 10},3 @@\n same\n-old value ${i}\n+new value ${i}\n same\n`,
).join('');
const diffs: FileDiff[] = [
  diff({
    path: policy,
    unified: `@@ -3,4 +3,5 @@\n \tmu    sync.Mutex\n-\tbyKey map[string]time.Duration\n+\tbyKey map[string]time.Time\n+\tsince time.Time // when the first was added\n }\n\n`,
    additions: 2,
    deletions: 1,
    notes: ['Lines end in CRLF, as before.', 'The byte order mark at the start is kept.'],
  }),
  diff({
    path: 'web/dist/bundle.min.js',
    unified: `@@ -1,1 +1,1 @@\n-${'!function(e,t){"use strict";'.repeat(400)}\n+${'!function(t,e){"use strict";'.repeat(400)}\n`,
    additions: 1,
    deletions: 1,
  }),
  diff({
    path: 'notes.txt',
    unified: '@@ -1,2 +1,2 @@\n-pass\u200bword\r\n+pass\u202eword\u00a0\n end\n\\ No newline at end of file\n',
    additions: 1,
    deletions: 1,
    notes: ['Line ends change from mixed to LF.', 'The file mode stays 0755.'],
  }),
  diff({ path: 'src/many.py', unified: manyHunks, additions: 60, deletions: 60 }),
];

/** Searches, a long change, and a card of four files. */
export function changes(): World {
  const one = session({ waiting: 1 });
  const asked = card({ createdAt: before(40) }, { diffs });
  const items = [
    says('m1', 'user', 'Keep when a host was waited for, and not how long.'),
    callItem(grep),
    callItem(glob),
    callItem(edit),
  ];
  const long = `@@ -3,2 +3,450 @@\n-old\n-older\n${'+// a line that was written by a machine\n'.repeat(450)}`;
  return {
    snapshot: { desk: desk(), sessions: [one], approvals: [asked.row], trust: [] },
    cards: [asked],
    views: [
      {
        session: one,
        items: items.map((item, i) => ({ ...item, cursor: String(i + 2) })),
        before: '',
        after: '',
        seq: '5',
      },
    ],
    details: [
      detail(grep, {
        found: { kind: 'lines', groups, files: [], left: 312 },
        spillPath: '/home/you/.countersign/output/s1/grep-c1.txt',
        read: [textPart('412 matches')],
      }),
      detail(glob, {
        found: { kind: 'files', groups: [], files, left: 214 },
        read: [textPart('314 files')],
      }),
      detail(edit, {
        diffs: [
          diff({
            path: policy,
            unified: long,
            additions: 450,
            deletions: 2,
            notes: ['The quoted text is not in the file exactly; it was matched with whitespace normalization.'],
          }),
        ],
      }),
    ],
    trusts: [],
    tools: [],
    files: {
      [policy]: goFile(900),
      '/home/you/.countersign/output/s1/grep-c1.txt': Array(412).fill(`${policy}\n  4: time.Duration`).join('\n'),
    },
  };
}
