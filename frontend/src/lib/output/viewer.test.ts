import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { BridgeError } from '../bridge/bridge';
import { FakeBridge } from '../bridge/fake';
import { type Printed } from '../bridge/fakeoutput';
import { desk, outputView } from '../../test/make';
import { Viewer } from './viewer.svelte';

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`).join('\n') + '\n';

function opened(text: string, view: Partial<Printed['view']> = {}) {
  const printed = { view: outputView(view), text };
  const bridge = new FakeBridge({
    snapshot: { desk: desk(), sessions: [], approvals: [], trust: [] },
    ...{ cards: [], views: [], details: [], trusts: [], tools: [], outputs: [printed] },
  });
  const viewer = new Viewer(bridge, { sessionId: 's1', name: 'bash-1.txt' });
  viewer.height = 400;
  return { bridge, viewer, printed };
}

const shown = (viewer: Viewer, line: number) =>
  viewer
    .row(line)
    ?.parts.map((part) => part.text || part.hex)
    .join('') ?? null;

describe('an open output', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('reads what is in the window and near it, and nothing else', async () => {
    const { viewer, bridge } = opened(numbered(1_000_000));
    await viewer.begin();
    expect(shown(viewer, 1)).toBe('line 1');
    expect(bridge.of('outputLines')).toHaveLength(1);
    viewer.go(500_000);
    await vi.waitFor(() => expect(shown(viewer, 500_000)).toBe('line 500000'));
    expect(shown(viewer, 400_000)).toBeNull();
    expect(bridge.of('outputLines').length).toBeLessThan(5);
    viewer.end();
  });

  it('forgets lines that are far away', async () => {
    const { viewer } = opened(numbered(100_000));
    await viewer.begin();
    for (let line = 250; line < 12_000; line += 250) {
      viewer.go(line);
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(shown(viewer, 1)).toBeNull();
    expect(shown(viewer, 11_750)).toBe('line 11750');
    viewer.end();
  });

  it('follows a text that grows, until somebody moves up', async () => {
    const { viewer, printed } = opened(numbered(100) + 'unfin');
    await viewer.begin();
    viewer.setFollow(true);
    expect(viewer.top.line).toBe(82);
    printed.text += 'ished\nmore\n';
    await vi.advanceTimersByTimeAsync(1_100);
    expect(viewer.lines).toBe(102);
    expect(viewer.top.line).toBe(83);
    expect(shown(viewer, 101)).toBe('unfinished');
    viewer.move(-20);
    expect(viewer.follow).toBe(false);
    printed.text += 'and more\n';
    await vi.advanceTimersByTimeAsync(1_100);
    expect(viewer.lines).toBe(103);
    expect(viewer.top.line).toBe(82);
    viewer.end();
  });

  it('begins anew where the text became shorter', async () => {
    const { viewer, printed } = opened(numbered(50));
    await viewer.begin();
    printed.text = 'other\n';
    await vi.advanceTimersByTimeAsync(1_100);
    expect(viewer.lines).toBe(1);
    expect(shown(viewer, 1)).toBe('other');
    viewer.end();
  });

  it('asks no more once it is closed', async () => {
    const { viewer, bridge } = opened(numbered(10));
    await viewer.begin();
    viewer.end();
    const before = bridge.asked.length;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(bridge.asked).toHaveLength(before);
  });

  it('shows more of a long line, piece by piece', async () => {
    const { viewer } = opened(`${'x'.repeat(9_000)}\nnext\n`);
    await viewer.begin();
    expect(viewer.row(1)).toMatchObject({ left: 9_000 - 4_096, more: true });
    await viewer.more(1);
    await viewer.more(1);
    expect(viewer.row(1)).toMatchObject({ left: 0, more: false });
    expect(shown(viewer, 1)).toHaveLength(9_000);
    viewer.end();
  });

  it('says that it is gone, and reads nothing', async () => {
    const { viewer } = opened('', { gone: true });
    await viewer.begin();
    expect(viewer.view?.gone).toBe(true);
    expect(viewer.trouble).toBe('');
  });

  it('says why it could not be read', async () => {
    const { viewer, bridge } = opened(numbered(10));
    bridge.outputLines = () => Promise.reject(new BridgeError('unavailable', 'It took too long.'));
    await viewer.begin();
    expect(viewer.trouble).toBe('It took too long.');
    viewer.end();
  });

  it('gives the chosen lines, in whichever order they were chosen', async () => {
    const { viewer } = opened(numbered(10));
    await viewer.begin();
    viewer.choose(5, false);
    viewer.choose(3, true);
    expect((await viewer.chosen()).text).toBe('line 3\nline 4\nline 5\n');
    viewer.end();
  });
});

describe('the search of an output', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('looks once nothing was typed for a moment, and goes from match to match', async () => {
    const { viewer, bridge } = opened(numbered(2_000));
    await viewer.begin();
    viewer.finder.type('line 19');
    viewer.finder.type('line 199');
    await vi.advanceTimersByTimeAsync(250);
    expect(bridge.of('outputFind')).toHaveLength(1);
    expect(viewer.finder.total).toBe(11);
    expect(viewer.finder.matches[viewer.finder.at]).toBe(199);
    viewer.finder.step(1);
    expect(viewer.finder.matches[viewer.finder.at]).toBe(1_990);
    expect(viewer.top.line).toBeLessThanOrEqual(1_990);
    expect(viewer.top.line).toBeGreaterThan(1_960);
    viewer.finder.step(-1);
    viewer.finder.step(-1);
    expect(viewer.finder.at).toBe(10);
    viewer.end();
  });

  it('goes on part by part, and stops when the words change', async () => {
    const { viewer, bridge } = opened(numbered(10));
    await viewer.begin();
    let parts = 0;
    bridge.outputFind = async (request) => {
      parts++;
      if (parts === 3) viewer.finder.type('');
      return { lines: [parts], place: `${parts}:1`, done: request.place === '100:1', scanned: parts };
    };
    viewer.finder.type('x');
    await vi.advanceTimersByTimeAsync(300);
    expect(parts).toBe(3);
    expect(viewer.finder).toMatchObject({ total: 0, reading: false, words: '' });
    viewer.end();
  });

  it('counts which match of its line is shown', async () => {
    const { viewer } = opened('a b a a\nb\na\n');
    await viewer.begin();
    viewer.finder.type('a');
    await vi.advanceTimersByTimeAsync(250);
    const seen = [0, 1, 2, 3].map(() => {
      const at = [viewer.finder.matches[viewer.finder.at], viewer.finder.nth];
      viewer.finder.step(1);
      return at;
    });
    expect(seen).toEqual([
      [1, 0],
      [1, 1],
      [1, 2],
      [3, 0],
    ]);
    viewer.end();
  });
});
