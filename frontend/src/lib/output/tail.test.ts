import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { BridgeError } from '../bridge/bridge';
import { FakeBridge } from '../bridge/fake';
import { desk } from '../../test/make';
import { textOf } from './ansi';
import { maxHeld, pauseMs, Tail } from './tail.svelte';

let bridge: FakeBridge;
let stop: () => void;

interface Printing {
  printed: string;
  running?: boolean;
}

function follow(one: Printing): Tail {
  bridge = new FakeBridge({
    snapshot: { desk: desk(), sessions: [], approvals: [], trust: [] },
    ...{ cards: [], views: [], details: [], trusts: [], tools: [], printed: { c1: one } },
  });
  const tail = new Tail((from) => bridge.callTail({ id: 'c1', from }));
  stop = tail.follow();
  return tail;
}

const told = (tail: Tail) => tail.lines.map((one) => one.words || (one.line ? textOf(one.line) : ''));
const settle = (ms = 300) => vi.advanceTimersByTimeAsync(ms);
const next = () => settle(2 * pauseMs);

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  stop();
  vi.useRealTimers();
});

// spec: KH-53
test('goes on with the line and the colour where it was left', async () => {
  const one: Printing = { running: true, printed: 'one\n\x1b[32mtw' };
  const tail = follow(one);
  await settle();
  expect(told(tail)).toEqual(['one', 'tw']);
  one.printed += 'o\nthree\x1b[';
  await next();
  expect(told(tail)).toEqual(['one', 'two', 'three\x1b[']);
  expect(tail.lines[1]?.line?.runs).toEqual([{ text: 'two', look: 'a a-ink-green' }]);
  one.printed += '0m, then\n4\n';
  await next();
  expect(told(tail)).toEqual(['one', 'two', 'three, then', '4']);
  expect(tail.lines.map((line) => line.n)).toEqual([0, 1, 2, 3]);
});

test('shows the last state of a line that is written anew', async () => {
  const one: Printing = { running: true, printed: '10 %' };
  const tail = follow(one);
  await settle();
  one.printed += '\r20 %';
  await next();
  expect(told(tail)).toEqual(['20 %']);
  one.printed += '\r\x1b[Kdone\n';
  await next();
  expect(told(tail)).toEqual(['done']);
});

test('reads all parts at once, holds a bounded number of lines, and says what came before', async () => {
  const one: Printing = { running: true, printed: 'x'.repeat(100_000) };
  const tail = follow(one);
  await settle();
  expect(told(tail)[0]).toBe('What was printed before this is in the full output.');
  one.printed += `\n${Array.from({ length: 3 * maxHeld }, (_, i) => `line ${i}`).join('\n')}\n`;
  await next();
  expect(tail.lines.length).toBe(maxHeld);
  expect(told(tail).at(-1)).toBe(`line ${3 * maxHeld - 1}`);
  const numbers = tail.lines.map((line) => line.n);
  expect(new Set(numbers).size).toBe(maxHeld);
});

test('says where something was passed over, and begins anew behind it', async () => {
  const one: Printing = { running: true, printed: '\x1b[31mbegun' };
  const tail = follow(one);
  await settle();
  const part = { text: 'behind\n', from: '900', to: '907', gap: true, more: false, ended: false, lost: '' };
  vi.spyOn(bridge, 'callTail').mockResolvedValueOnce(part);
  await next();
  expect(told(tail)).toEqual([
    'begun',
    'More was printed than is shown here. All of it is in the full output.',
    'behind',
  ]);
  expect(tail.lines.at(-1)?.line?.runs[0]?.look).toBe('');
  expect(new Set(tail.lines.map((line) => line.n)).size).toBe(3);
});

test('a line without end stays bounded', async () => {
  const one: Printing = { running: true, printed: '' };
  const tail = follow(one);
  await settle();
  for (let i = 0; i < 20; i++) {
    one.printed += 'y'.repeat(60_000);
    await next();
  }
  const shown = tail.lines[0]?.line;
  expect(tail.lines.length).toBe(1);
  expect((shown?.left ?? 0) + (shown ? textOf(shown).length : 0)).toBeLessThanOrEqual(400_000);
});

test('says why it cannot be read, and reads on by itself', async () => {
  const one: Printing = { running: true, printed: 'one\n' };
  const tail = follow(one);
  await settle();
  vi.spyOn(bridge, 'callTail').mockRejectedValueOnce(new BridgeError('x', 'The log cannot be read now.'));
  await next();
  expect(tail.trouble).toBe('The log cannot be read now.');
  expect(told(tail)).toEqual(['one']);
  one.printed += 'two\n';
  await settle(5_000);
  expect(tail.trouble).toBe('');
  expect(told(tail)).toEqual(['one', 'two']);
});

test('rests once the process has ended and all was read', async () => {
  const one: Printing = { printed: 'one\n' };
  follow(one);
  await settle();
  const before = bridge.of('callTail').length;
  await settle(10_000);
  expect(bridge.of('callTail').length).toBe(before);
});
