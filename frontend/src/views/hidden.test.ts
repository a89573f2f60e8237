import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import App from '../App.svelte';
import type { ApprovalCard } from '../lib/bridge/dto';
import { FakeBridge } from '../lib/bridge/fake';
import { card, desk, diff, session } from '../test/make';

const marker = '[redacted:51a3]';
const other = '[redacted:ffff]';
const hidden = [{ kind: 'password', count: 1, words: '1 password' }];

let bridge: FakeBridge;

async function show(cards: ApprovalCard[]) {
  bridge = new FakeBridge({
    snapshot: { desk: desk(), sessions: [session()], approvals: cards.map((one) => one.row), trust: [] },
    cards,
    ...{ views: [], details: [], trusts: [], tools: [] },
  });
  location.hash = '#/approvals';
  render(App, { props: { bridge } });
  await settle();
}

const settle = (ms = 500) => vi.advanceTimersByTimeAsync(ms);
const chips = (place: Element) => [...place.querySelectorAll('.hid')].map((one) => one.textContent);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('a piece that is hidden from eyes', () => {
  it('is a chip in a change, a row and a path, and what only looks like one is text', async () => {
    const unified = `@@ -1 +1 @@\n-pass = ${other}\n+pass = ${marker}\n`;
    const path = `keys/${marker}.txt`;
    await show([card({ subject: path, marker }, { marker, hidden, diffs: [diff({ path, unified })] })]);
    const lines = [...document.querySelectorAll('.diff .dl > code')];
    expect(lines.map((one) => [one.textContent, ...chips(one)])).toEqual([
      [`pass = ${other}`],
      ['pass = [redacted]', '[redacted]'],
    ]);
    expect(document.querySelector('.diff-file .path')?.textContent).toBe('keys/[redacted].txt');
    const row = screen.getByRole('option');
    expect(chips(row)).toEqual(['[redacted]']);
    expect(row.textContent).not.toContain('51a3');
  });

  it('is none where nothing is hidden, whatever stands there', async () => {
    const unified = `@@ -0,0 +1 @@\n+${marker}\n`;
    await show([card({ subject: marker }, { marker: '', diffs: [diff({ unified })] })]);
    expect(chips(document.body)).toEqual([]);
    expect(document.querySelector('.diff .dl > code')?.textContent).toBe(marker);
  });
});
