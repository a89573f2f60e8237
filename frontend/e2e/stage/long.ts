// A desk of which every part is longer than it should be.
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
  says,
  session,
  settingsView,
  textPart,
  tool,
} from '../../src/test/make';
import { longPast } from './past';
import { manyGrants } from './rules';
import { absurd, manyRunning, ran } from './running';
import { sets } from './tools';

const hugeDiff = `--- a/x\n+++ b/x\n@@ -0,0 +1,9000 @@\n${Array.from({ length: 9_000 }, (_, i) => `+const value${i} = "${'abc '.repeat(i % 40)}"; // ${i}`).join('\n')}\n`;

const longWord = 'supercalifragilistic_'.repeat(40);
const longCard = card(
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
    offers: [],
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

/** Many and long of everything. */
export function long(): World {
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
    caller: longCard.row.caller,
    callerKind: 'mcp',
  });
  return {
    snapshot: {
      desk: desk({
        callers: [longCard.row.caller],
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
        longCard.row,
        hugeCard.row,
        ...Array.from({ length: 40 }, (_, i) =>
          approvalRow({ id: `x${i}`, createdAt: before(25), subject: `src/file_${i}.go` }),
        ),
      ],
      trust: [],
    },
    cards: [longCard, hugeCard],
    views: [
      { session: one, items: [says('m0', 'user', 'word '.repeat(900)), ...many], before: '', after: '', seq: '1' },
    ],
    details: many.map((item) =>
      detail(item.call ?? callRow(), {
        read: [textPart('y'.repeat(20_000))],
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
        ...{ source: 'project', origin: 'project', hides: 'home', changed: true },
        folder: `.countersign/tools/${longWord}`,
        notes: Array.from({ length: 5 }, (_, i) => ({
          field: '',
          text: `${i} ${longWord} ${'what is wrong with it '.repeat(20)}`,
        })),
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
              ...Array.from({ length: 7 }, (_, i) => field({ name: `level_${i}_${longWord.slice(0, 30)}`, depth: i })),
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
    grants: manyGrants(longWord),
    settings: settingsView({
      unknown: Array.from({ length: 30 }, (_, i) => `key${i}`),
    }),
  };
}
