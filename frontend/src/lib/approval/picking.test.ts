import { describe, expect, it } from 'vitest';

import { approvalRow } from '../../test/make';
import { callKey, type Entry } from './entries';
import { isPickable, kindOf, ranged, refusalOf, toggled } from './picking';

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

  it('says of all others why they cannot be taken', () => {
    expect(entries.map(refusalOf)).toEqual([
      'A question of trust is answered by itself.',
      '',
      '',
      'It is restricted.',
      '',
      'This call waits no more.',
    ]);
  });
});
