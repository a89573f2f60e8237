// A call whose tool answered with images: of usual, tiny and absurd size, and some that cannot be shown.
import type { World } from '../../src/lib/bridge/fake';
import { callItem, callRow, desk, detail, historyRow, imagePart, says, session, textPart } from '../../src/test/make';

export function images(): World {
  const one = session({ id: 's1', title: 'Look at the charts' });
  const call = callRow({
    ...{ id: 'i1', toolId: 'acme_chart', verb: 'Run', subject: 'acme_chart', figure: '7 images, exit 0' },
    durationMs: '812',
  });
  const single = callRow({ ...call, id: 'i2', figure: '1 image, exit 0', subject: 'acme_plot' });
  return {
    snapshot: { desk: desk(), sessions: [one], approvals: [], trust: [] },
    cards: [],
    views: [
      {
        session: one,
        items: [says('m1', 'user', 'Draw the latency of last week.'), callItem(single), callItem(call)],
        ...{ before: '', after: '', seq: '3' },
      },
    ],
    details: [
      detail(single, { read: [textPart('Drawn.'), imagePart('1', { width: 1280, height: 720, bytes: 18_204 })] }),
      detail(call, {
        read: [
          textPart('Seven charts, of which some are odd.'),
          imagePart('1', { width: 1280, height: 720, bytes: 18_204 }),
          imagePart('2', { width: 20_000, height: 10, bytes: 1_204 }),
          imagePart('3', { width: 3, height: 2, bytes: 84 }),
          imagePart('4', { width: 10, height: 12_000, bytes: 2_204 }),
          imagePart('5', { mime: 'image/webp' }),
          imagePart('6', {
            ...{ source: '', width: 65_535, height: 65_535, bytes: 70 },
            trouble:
              'This image is not shown: drawn, it would take more memory than the 40,000,000 pixels that are allowed.',
          }),
          imagePart('7', {
            ...{ source: '', width: 0, height: 0, bytes: 0, mime: 'image/gif' },
            trouble: 'This image is no longer kept. What the tool said beside it is still here.',
          }),
        ],
      }),
    ],
    history: [historyRow(call, { cursor: '1', place: 'i1' })],
    trusts: [],
    tools: [],
  };
}
