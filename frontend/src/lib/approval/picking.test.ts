import { describe, expect, it } from 'vitest';

import { approvalRow, card, diff, step } from '../../test/make';
import { callKey, type Entry } from './entries';
import { isPickable, kindOf, maxBatch, partsToSee, ranged, toggled } from './picking';

const call = (id: string, over = {}): Entry => ({ kind: 'call', key: callKey(id), row: approvalRow({ id, ...over }) });
const trust: Entry = {
  kind: 'trust',
  key: 'trust:/w',
  question: {
    root: '/w',
    workspace: '/w',
    askedBy: 'x',
    askerKind: 'mcp',
    sessionId: 's',
    createdAt: '',
    opens: [],
    shut: [],
    postpone: false,
    waiting: 1,
  },
};
const entries = [
  trust,
  call('a'),
  call('b', { toolId: 'bash' }),
  call('c', { alone: 'It is restricted.' }),
  call('d'),
  call('e', { status: 'denied' }),
];

describe('a selection of calls', () => {
  it('takes calls that wait and may be answered with others', () => {
    expect(entries.filter(isPickable).map((entry) => entry.key)).toEqual(['call:a', 'call:b', 'call:d']);
  });

  it('takes one, and lets it go', () => {
    expect(toggled(['call:a'], 'call:b')).toEqual(['call:a', 'call:b']);
    expect(toggled(['call:a', 'call:b'], 'call:a')).toEqual(['call:b']);
  });

  it('takes a range either way, without what cannot be taken', () => {
    expect(ranged(entries, [], 'call:a', 'call:d')).toEqual(['call:a', 'call:b', 'call:d']);
    expect(ranged(entries, ['call:d'], 'call:d', 'trust:/w')).toEqual(['call:d', 'call:a', 'call:b']);
    expect(ranged(entries, [], 'gone', 'call:b')).toEqual(['call:b']);
  });

  it('takes all of a kind: those of one tool', () => {
    expect(kindOf(entries, 'call:a').map((entry) => entry.key)).toEqual(['call:a', 'call:d']);
    expect(kindOf(entries, 'trust:/w')).toEqual([]);
  });

  it('has a limit that a person can read', () => expect(maxBatch).toBe(50));
});

describe('the parts of a card that must have been in view', () => {
  it.each([
    ['a change of two files', card({}, { diffs: [diff(), diff({ path: 'b' })] }), 2],
    [
      'a command with its list, its facts and a path that no list names',
      card(
        {},
        {
          preview: 'command',
          command: 'x',
          listing: { state: 'read', why: '', steps: [step('x')], left: 0 },
          about: [{ label: 'Runs in', text: '/' }],
        },
      ),
      4,
    ],
    [
      'a command that could not be read',
      card(
        {},
        { preview: 'command', command: 'x', paths: [], listing: { state: 'unread', why: '', steps: [], left: 0 } },
      ),
      1,
    ],
    ['a call without arguments', card({}, { preview: 'arguments', paths: [] }), 1],
  ])('are all of %s', (_, one, parts) => expect(partsToSee(one)).toBe(parts));
});
