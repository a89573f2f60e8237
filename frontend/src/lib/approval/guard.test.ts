import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { Guard, guardMs } from './guard.svelte';

const pointer = { detail: 1 };
const keyboard = { detail: 0 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('lets nothing pass for the first moment of a card', () => {
  const guard = new Guard();
  guard.arm();
  guard.press();
  expect(guard.passes(pointer)).toBe(false);
  expect(guard.passes(keyboard)).toBe(false);
  vi.advanceTimersByTime(guardMs - 1);
  expect(guard.passes(keyboard)).toBe(false);
  vi.advanceTimersByTime(1);
  expect(guard.passes(keyboard)).toBe(true);
});

it('lets a click pass only when it was begun on this card', () => {
  const guard = new Guard();
  expect(guard.passes(pointer)).toBe(false);
  guard.press();
  expect(guard.passes(pointer)).toBe(true);
  guard.arm();
  vi.advanceTimersByTime(guardMs);
  expect(guard.passes(pointer)).toBe(false);
});

it('does not count a press that was begun while the card was new', () => {
  const guard = new Guard();
  guard.arm();
  guard.press();
  vi.advanceTimersByTime(guardMs);
  expect(guard.passes(pointer)).toBe(false);
  guard.press();
  expect(guard.passes(pointer)).toBe(true);
});

it('begins anew with every change', () => {
  const guard = new Guard();
  guard.arm();
  vi.advanceTimersByTime(guardMs - 10);
  guard.arm();
  vi.advanceTimersByTime(guardMs - 10);
  expect(guard.open).toBe(false);
  vi.advanceTimersByTime(10);
  expect(guard.open).toBe(true);
});
