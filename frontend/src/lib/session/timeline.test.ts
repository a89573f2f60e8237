import { describe, expect, it } from 'vitest';

import { callItem, session } from '../../test/make';
import { stateLook } from './states';
import { groupsOf } from './groups';
import { takeNewest, takeOlder } from './timeline';

const view = (ids: string[], before = '') => ({
  session: session(),
  items: ids.map((id) => callItem({ id })),
  before,
  after: '',
  seq: '1',
});
const ids = (timeline: { items: { id: string }[] }) => timeline.items.map((item) => item.id);

describe('a timeline', () => {
  it('grows at its end and keeps what was read before', () => {
    const first = takeNewest(null, view(['b', 'c'], 'cursor-b'));
    const older = takeOlder(first, view(['a'], ''));
    expect(ids(older)).toEqual(['a', 'b', 'c']);
    const newer = takeNewest(older, view(['b', 'c', 'd'], 'cursor-b'));
    expect(ids(newer)).toEqual(['a', 'b', 'c', 'd']);
    expect(newer.before).toBe('');
  });

  it('takes the new state of a line', () => {
    const first = takeNewest(null, view(['a', 'b']));
    const done = { ...view(['a', 'b']), items: [callItem({ id: 'a' }), callItem({ id: 'b', state: 'failed' })] };
    expect(takeNewest(first, done).items[1]?.call?.state).toBe('failed');
  });

  it('starts anew when lines are missing between what was read and what came', () => {
    const first = takeNewest(null, view(['a', 'b'], 'x'));
    const later = takeNewest(first, view(['p', 'q'], 'cursor-p'));
    expect(ids(later)).toEqual(['p', 'q']);
    expect(later.before).toBe('cursor-p');
  });

  it('starts anew for another session', () => {
    const other = { ...view(['z']), session: session({ id: 's9' }) };
    expect(ids(takeNewest(takeNewest(null, view(['a'])), other))).toEqual(['z']);
  });

  it('puts no line in twice', () => {
    expect(ids(takeOlder(takeNewest(null, view(['b', 'c'], 'x')), view(['a', 'b'])))).toEqual(['a', 'b', 'c']);
  });
});

describe('sessions', () => {
  it('are grouped by workspace, newest first', () => {
    const rows = [
      session({ id: '1', workspace: '/w/a', updatedAt: '2026-01-01T00:00:00Z' }),
      session({ id: '2', workspace: '/w/b', updatedAt: '2026-01-03T00:00:00Z' }),
      session({ id: '3', workspace: '/w/a', updatedAt: '2026-01-02T00:00:00Z' }),
    ];
    expect(groupsOf(rows).map((group) => [group.name, group.sessions.map((one) => one.id)])).toEqual([
      ['b', ['2']],
      ['a', ['3', '1']],
    ]);
  });
});

it('a state that is not known is never told as done', () => {
  expect(stateLook('something_new')).toEqual({ word: 'Unknown', look: 'uncertain' });
  expect(stateLook('uncertain').look).toBe('uncertain');
  expect(stateLook('succeeded').word).toBe('Done');
  expect(stateLook('succeeded', true)).toEqual({ word: 'Failed', look: 'failed' });
});
