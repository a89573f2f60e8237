// Names that would pass for others, on a desk whose disk is full.
import type { World } from '../../src/lib/bridge/fake';
import { before, callItem, callRow, card, desk, detail, diff, session } from '../../src/test/make';
import { goDiff } from './cards';
import { oddConnects } from './connects';
import { trust } from './rules';

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

/** A desk of odd names. */
export const odd = (): World => ({
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
});
