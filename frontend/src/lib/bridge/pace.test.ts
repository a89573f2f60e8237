import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Pace } from './pace';

const gapMs = 150;

describe('a pace', () => {
  let runs: number[];
  let frameMs: number;
  let pace: Pace;

  beforeEach(() => {
    vi.useFakeTimers();
    runs = [];
    frameMs = 16;
    vi.stubGlobal('requestAnimationFrame', (f: FrameRequestCallback) =>
      setTimeout(() => f(performance.now()), frameMs),
    );
    vi.stubGlobal('cancelAnimationFrame', (id: number) => clearTimeout(id));
    pace = new Pace(() => runs.push(performance.now()), gapMs);
  });
  afterEach(() => {
    pace.stop();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  const storm = async (ms: number) => {
    for (let at = 0; at < ms; at += 5) {
      pace.ask();
      await vi.advanceTimersByTimeAsync(5);
    }
  };

  it('runs once for all that was asked together, soon', async () => {
    for (let i = 0; i < 100; i++) pace.ask();
    await vi.advanceTimersByTimeAsync(20);
    expect(runs).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(runs).toHaveLength(1);
  });

  it('runs at its gap while frames come in time', async () => {
    await storm(1_500);
    expect(runs.length).toBeGreaterThanOrEqual(8);
    expect(runs.length).toBeLessThanOrEqual(1_500 / gapMs + 1);
  });

  it('rests longer after runs that kept frames waiting, but not without end', async () => {
    frameMs = 60;
    await storm(6_000);
    expect(runs.length).toBeGreaterThanOrEqual(6_000 / 800);
    expect(runs.length).toBeLessThanOrEqual(6_000 / 400);
    frameMs = 16;
    await storm(1_000);
    runs = [];
    await storm(1_500);
    expect(runs.length, 'when frames come in time again').toBeGreaterThanOrEqual(8);
  });

  it('runs what was asked for last, however long it rests', async () => {
    frameMs = 60;
    await storm(1_000);
    const before = runs.length;
    pace.ask();
    await vi.advanceTimersByTimeAsync(800);
    expect(runs.length).toBe(before + 1);
  });

  it('runs at once for what somebody waits for, whatever ran before', async () => {
    pace.ask();
    await vi.advanceTimersByTimeAsync(20);
    expect(runs).toHaveLength(1);
    pace.ask();
    pace.hurry();
    expect(runs).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(runs, 'what was asked for before had its run').toHaveLength(2);
  });

  it('hurries no more often than at its gap', async () => {
    for (let at = 0; at < 1_500; at += 5) {
      pace.hurry();
      await vi.advanceTimersByTimeAsync(5);
    }
    expect(runs.length).toBeGreaterThanOrEqual(8);
    expect(runs.length).toBeLessThanOrEqual(1_500 / gapMs + 1);
  });

  it('runs never again once it is stopped', async () => {
    pace.ask();
    pace.stop();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(runs).toEqual([]);
  });
});
