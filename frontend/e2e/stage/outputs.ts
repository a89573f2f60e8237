// Texts of the output store: one that the model was given in part, and what is absurd.
import type { World } from '../../src/lib/bridge/fake';
import type { Printed } from '../../src/lib/bridge/fakeoutput';
import { before, callItem, callRow, desk, detail, outputView, session, textPart } from '../../src/test/make';

const esc = '\u001b';
const green = (text: string) => `${esc}[32m${text}${esc}[0m`;
const red = (text: string) => `${esc}[31m${text}${esc}[0m`;

const tests = Array.from({ length: 1_396 }, (_, i) => {
  if (i === 1_390) return red('--- FAIL: TestClaimRace (0.41s)');
  if (i % 9 === 0) return `=== RUN   TestRetryBackoffPolicyHonoursCeiling/${i}`;
  if (i % 9 === 8) return green(`--- PASS: TestRetryBackoffPolicyHonoursCeiling/${i} (0.0${i % 10}s)`);
  if (i % 33 === 5) return `    claim_test.go:71: worker-2 leases job 7f3a until 14:01:52.310`;
  if (i % 50 === 7)
    return `    claim_test.go:74: worker-2 renews job 7f3a after 402 ms, row version ${i}, store at /home/you/src/dispatchd/internal/dispatch/testdata/claim-race/store-2026-11-30T14-01-51.db`;
  return `    claim_test.go:86: retry ${i % 3} of 3 in 125 ms`;
}).join('\n');

const call = callRow({
  id: 'c7',
  toolId: 'bash',
  verb: 'Run',
  subject: 'go test ./internal/dispatch/... -count=1',
  state: 'failed',
  figure: 'exit 1',
  at: before(300),
});

export const outputs = (): Printed[] => [
  {
    view: outputView({
      name: 'bash-c7.txt',
      call,
      seen: { known: true, head: 249, tail: 4, lines: 1_396, omitted: 1_143, omittedBytes: 86_937 },
    }),
    text: tests + '\n',
  },
];

/** A call for each kind of text that is hard to show. */
export function oddOutputs(): World {
  const one = session({ title: 'Outputs' });
  const texts: [string, string, Partial<Printed['view']>][] = [
    [
      'million',
      Array.from(
        { length: 1_000_000 },
        (_, i) =>
          `${i % 7 ? '' : esc + '[36m'}line ${i + 1} of a million, ${'word '.repeat(i % 12)}${i % 7 ? '' : esc + '[0m'}`,
      ).join('\n'),
      {},
    ],
    ['long', `first\n${'x'.repeat(300_000)}\n${'wide '.repeat(3_000)}\nlast\n`, {}],
    ['gone', '', { gone: true, removedAt: before(86_400) }],
    [
      'lost',
      'one\n[... 12,345 bytes could not be kept here ...]\ntwo\n',
      { lost: 12_345, keptUntil: '2026-12-30T14:00:00Z' },
    ],
    ['empty', '', {}],
    [
      'hostile',
      `\u202e<img src=x onerror=alert(1)>\n${esc}[2J${esc}]0;owned\u0007${esc}[31munclosed\nstill red? \u0000\u200b\n`,
      {},
    ],
  ];
  const items = texts.map(([id], i) => ({
    ...callItem({ id, toolId: 'bash', verb: 'Run', subject: `make ${id}`, at: before(600 - i) }),
    cursor: String(i + 2),
  }));
  return {
    snapshot: { desk: desk(), sessions: [one], approvals: [], trust: [] },
    cards: [],
    views: [{ session: one, items, before: '', after: '', seq: String(texts.length + 1) }],
    details: texts.map(([id, text, view], i) =>
      detail(items[i]?.call ?? call, {
        read: [textPart('What the model read.')],
        outputs: [{ sessionId: one.id, name: `bash-${id}.txt`, bytes: text.length, gone: view.gone ?? false }],
      }),
    ),
    outputs: texts.map(([id, text, view], i) => ({
      view: outputView({ sessionId: one.id, name: `bash-${id}.txt`, call: items[i]?.call ?? call, ...view }),
      text,
    })),
    trusts: [],
    tools: [],
  };
}
