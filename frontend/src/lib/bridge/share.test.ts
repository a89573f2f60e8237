import { expect, it } from 'vitest';

import { share } from './share';

const row = (id: string, over: object = {}) => ({
  id,
  words: 'same',
  paths: [{ root: '/a', access: 'read' }],
  ...over,
});

it('keeps every part that did not change, and only those', () => {
  const before = { rows: [row('a'), row('b')], desk: { now: '1', presets: ['x'] } };
  const now = structuredClone(before);
  expect(share(before, now)).toBe(before);
  now.desk.now = '2';
  const shared = share(before, now);
  expect(shared).toEqual(now);
  expect(shared.rows).toBe(before.rows);
  expect(shared.desk.presets).toBe(before.desk.presets);
});

it('keeps what stands before and behind the part that changed', () => {
  const before = { first: { a: 1 }, changed: 1, last: { b: 2 } };
  const shared = share(before, { first: { a: 1 }, changed: 2, last: { b: 2 } });
  expect(shared).toEqual({ first: { a: 1 }, changed: 2, last: { b: 2 } });
  expect(shared.first).toBe(before.first);
  expect(shared.last).toBe(before.last);
});

it('finds rows by their id, wherever they stand now', () => {
  const before = [row('a'), row('b'), row('c')];
  const shared = share(before, [row('c'), row('n'), row('a', { words: 'other' })]);
  expect(shared).toEqual([row('c'), row('n'), row('a', { words: 'other' })]);
  expect(shared[0]).toBe(before[2]);
  expect(shared[2]?.paths).toBe(before[0]?.paths);
});

it('tells a part that came or went', () => {
  const before: Record<string, unknown> = { a: { x: 1 }, b: 1 };
  expect(share(before, { a: { x: 1 } })).toEqual({ a: { x: 1 } });
  expect(share(before, { a: { x: 1 }, b: 1, c: null })).toEqual({ a: { x: 1 }, b: 1, c: null });
  expect(share(before, { a: { x: 1 }, c: 1 })).toEqual({ a: { x: 1 }, c: 1 });
  expect(share(before, { a: { x: 1 }, c: 1 })['a']).toBe(before['a']);
});
