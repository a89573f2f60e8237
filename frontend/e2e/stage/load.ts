// Worlds that are too much: many of everything, and text that is meant to do harm.
import type { World } from '../../src/lib/bridge/fake';
import {
  approvalRow,
  before,
  callItem,
  callRow,
  card,
  desk,
  detail,
  diff,
  says,
  session,
  textPart,
} from '../../src/test/make';

const lines = (count: number) =>
  Array.from({ length: count }, (_, i) => {
    if (i % 10 === 0)
      return {
        ...says(`l${i}`, i % 20 ? 'assistant' : 'user', `Line ${i}. ${'Some words. '.repeat(i % 8)}`),
        cursor: String(i + 2),
      };
    const subject = `src/part_${i % 7}/file_${i}.go`;
    const state = ['succeeded', 'failed', 'denied', 'cancelled', 'succeeded'][i % 5] ?? 'succeeded';
    return { ...callItem({ id: `l${i}`, subject, state, at: before(9_000 - i) }), cursor: String(i + 2) };
  });

/** A session of 1,000 lines, 200 waiting calls and 300 sessions. */
export function many(): World {
  const one = session({ waiting: 200 });
  const rows = Array.from({ length: 200 }, (_, i) =>
    approvalRow({
      id: `w${i}`,
      createdAt: before(2_000 - i),
      subject: `src/waiting/file_${i}.go`,
      risk: ['low', 'medium', 'high'][i % 3] ?? 'low',
    }),
  );
  const items = lines(1_000);
  return {
    snapshot: {
      desk: desk(),
      sessions: [
        one,
        ...Array.from({ length: 299 }, (_, i) =>
          session({ id: `n${i}`, title: `Session ${i}`, workspace: `/w/${i % 6}`, updatedAt: before(100 + i * 60) }),
        ),
      ],
      approvals: rows,
      trust: [],
    },
    cards: rows.map((row) =>
      card(row, {
        diffs: [diff({ path: row.subject, unified: '@@ -1,1 +1,1 @@\n-a\n+b\n', additions: 1, deletions: 1 })],
      }),
    ),
    views: [{ session: one, items, before: '', after: '', seq: '1001' }],
    details: items.map((item) => detail(item.call ?? callRow({ id: item.id }), { read: [textPart('read')] })),
    trusts: [],
    tools: [],
  };
}

/** 1,000 waiting calls of ten sessions: more of one session are refused. */
export function waiting(): World {
  const sessions = Array.from({ length: 10 }, (_, i) =>
    session({ id: `s${i}`, title: `Work on part ${i}`, caller: ['Codex', 'Claude Code'][i % 2] ?? '', waiting: 100 }),
  );
  const cards = Array.from({ length: 1_000 }, (_, i) => {
    const one = sessions[i % 10] ?? session();
    const file = `src/part_${i % 7}/${'deep/'.repeat(i % 5)}file_${i}.go`;
    return card(
      {
        id: `w${i}`,
        sessionId: one.id,
        sessionTitle: one.title,
        caller: one.caller,
        createdAt: before(5_000 - i),
        subject: i % 3 ? file : `go test ./part_${i % 7}/... -run 'TestThatNothing|IsLeftBehind${i}' -count=1`,
        toolId: i % 3 ? 'write' : 'bash',
        verb: i % 3 ? 'Write 1 file' : 'Run a command',
        risk: ['low', 'medium', 'high'][i % 3] ?? 'low',
        callerLeft: i >= 950,
      },
      { diffs: [diff({ path: file, unified: '@@ -1,1 +1,1 @@\n-a\n+b\n', additions: 1, deletions: 1 })] },
    );
  });
  return {
    snapshot: { desk: desk(), sessions, approvals: cards.map((one) => one.row), trust: [] },
    ...{ cards, views: [], details: [], trusts: [], tools: [] },
  };
}

/** A card with a change of 10,000 lines, half of them out and half of them in, and one with a change of two. */
export function painting(): World {
  const one = session({ waiting: 2 });
  const hunk = (i: number) =>
    `@@ -${i * 16 + 1},11 +${i * 16 + 1},11 @@\n${Array.from(
      { length: 5 },
      (_, n) => `-\tdelay${n} := policy.Base * time.Duration(math.Pow(2, float64(attempt+${i})))\n`,
    ).join('')}${Array.from(
      { length: 5 },
      (_, n) => `+\tdelay${n} := policy.Base << uint(attempt+${i}) // a shift that overflows comes out negative\n`,
    ).join('')} }\n \n func next() {\n \treturn "a text", 42\n }\n \n`;
  const changed = (path: string, hunks: number) =>
    diff({
      path,
      unified: Array.from({ length: hunks }, (_, i) => hunk(i)).join(''),
      additions: hunks * 5,
      deletions: hunks * 5,
    });
  const rows = ['small', 'large'].map((id, i) => approvalRow({ id, createdAt: before(60 - i), subject: `${id}.go` }));
  return {
    snapshot: { desk: desk(), sessions: [one], approvals: rows, trust: [] },
    cards: rows.map((row) => card(row, { diffs: [changed(row.subject, row.id === 'large' ? 1_000 : 1)] })),
    views: [{ session: one, items: [], before: '', after: '', seq: '1' }],
    details: [],
    trusts: [],
    tools: [],
  };
}

const megabyte = 1 << 20;
/** One line of a megabyte, of which every other character is one that cannot be seen. */
const unseen = '\u202ea\u200bb\u001b[2J'.repeat(megabyte / 8);
const plain = '<img src=x onerror=alert(1)>'.repeat(megabyte / 28);

/** Text with escapes, marks of direction, no width and no end in every place that shows any. */
export function hostile(): World {
  const title = `\u001b]0;owned\u0007<script>alert(1)</script>\u202eemit${'t'.repeat(300)}`;
  const one = session({ title, caller: '\u202eclient<b>', callerKind: 'mcp' });
  const row = (id: string) => ({
    id,
    sessionTitle: title,
    caller: one.caller,
    subject: unseen.slice(0, 400),
    subjectLeft: megabyte - 400,
    createdAt: before(60),
  });
  const cards = [
    card(
      { ...row('h0'), toolId: 'bash', verb: 'Run 1 command' },
      { preview: 'command', command: `echo start ${plain} the-end\nrm -rf /srv/data`, paths: [] },
    ),
    card(
      { ...row('h1') },
      {
        diffs: [
          diff({
            path: 'a.js',
            unified: `@@ -1,1 +1,2 @@\n-${plain}\n+${unseen}\n+last line\n`,
            additions: 2,
            deletions: 1,
          }),
        ],
      },
    ),
    card(
      { ...row('h2'), toolId: 'demo', verb: 'Call demo' },
      {
        preview: 'arguments',
        paths: [],
        canonical: `{"text":"${unseen}"}`,
        arguments: [
          { name: 'text', value: unseen, type: 'text', description: plain.slice(0, 500) },
          { name: 'end', value: 'the last argument', type: 'text', description: '' },
        ],
      },
    ),
  ];
  const items = [
    { ...says('m0', 'user', unseen.slice(0, 4_000)), cursor: '2' },
    {
      ...callItem({
        id: 'c0',
        toolId: 'bash',
        verb: 'Run',
        subject: unseen.slice(0, 400),
        subjectLeft: megabyte - 400,
      }),
      cursor: '3',
    },
    { ...says('m1', 'assistant', plain.slice(0, 4_000)), cursor: '4' },
  ];
  for (const item of items) if (item.message) item.message.left = megabyte - 4_000;
  return {
    snapshot: { desk: desk({ callers: [one.caller] }), sessions: [one], approvals: cards.map((c) => c.row), trust: [] },
    cards,
    views: [{ session: one, items, before: '', after: '', seq: '4' }],
    details: [
      detail(callRow({ id: 'c0', state: 'failed' }), {
        read: [textPart(unseen)],
        arguments: `{"command":"${plain}"}`,
      }),
    ],
    trusts: [],
    tools: [],
    said: { m0: unseen, m1: plain },
  };
}
