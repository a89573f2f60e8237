import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import App from '../App.svelte';
import { bridgeAlone } from '../lib/bridge/context';
import type { ApprovalCard, CallDetail, DiffLinesRequest, FileDiff } from '../lib/bridge/dto';
import { FakeBridge, type World } from '../lib/bridge/fake';
import { layout } from '../lib/diff/layout.svelte';
import CallOpen from '../lib/session/CallOpen.svelte';
import { before, callRow, card, desk, detail, diff, session } from '../test/make';

const file = Array.from({ length: 60 }, (_, i) => `line ${i + 1}`);
const hunk = (at: number) => `@@ -${at},1 +${at},1 @@\n-line ${at}\n+new ${at}\n`;
const first = diff({ path: 'a.txt', unified: hunk(10) + hunk(50), additions: 2, deletions: 2 });
const second = diff({ path: 'b.txt', unified: hunk(3), additions: 1, deletions: 1 });

let bridge: FakeBridge;
const scrolled: string[] = [];

const world = (cards: ApprovalCard[], details: CallDetail[], files?: Record<string, string>): World => ({
  snapshot: { desk: desk(), sessions: [session()], approvals: cards.map((one) => one.row), trust: [] },
  cards,
  views: [{ session: session(), items: [], before: '', after: '', seq: '1' }],
  details,
  trusts: [],
  tools: [],
  ...(files && { files }),
});

async function show(diffs: FileDiff[], files?: Record<string, string>) {
  bridge = new FakeBridge(world([card({ createdAt: before(90) }, { diffs })], [], files));
  location.hash = '#/approvals';
  render(App, { props: { bridge } });
  await settle();
}

const settle = (ms = 500) => vi.advanceTimersByTimeAsync(ms);
async function press(key: string) {
  await fireEvent.keyDown(document.body, { key });
  await settle();
}
const change = (name: string) => screen.getByRole('region', { name: `Change of ${name}` });
const rows = () => [...document.querySelectorAll('.diff .dl > code')].map((one) => one.textContent);
const asked = () =>
  (bridge.of('diffLines') as DiffLinesRequest[]).map((one) => [one.of, one.id, one.file, one.old, one.new, one.count]);

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  layout.set('unified');
  scrolled.length = 0;
  Element.prototype.scrollIntoView = function (this: HTMLElement) {
    if (this.dataset.hunk || this.classList.contains('file')) scrolled.push(this.dataset.hunk ?? 'file');
  };
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('a change on a card', () => {
  it('is gone through by hunk and by file', async () => {
    await show([first, second]);
    const at = () => [within(change('a.txt')).queryByText(/Hunk/)?.textContent, screen.getByText(/^File/).textContent];
    expect(at()).toEqual(['Hunk 1 of 2', 'File 1 of 2']);
    await press('n');
    expect(at()).toEqual(['Hunk 2 of 2', 'File 1 of 2']);
    await press('n');
    expect(at()).toEqual(['Hunk 2 of 2', 'File 2 of 2']);
    await press('n');
    expect(at()[1], 'there is no third file').toBe('File 2 of 2');
    await press('p');
    expect(at()).toEqual(['Hunk 2 of 2', 'File 1 of 2']);
    await press('.');
    await press(',');
    expect(at()).toEqual(['Hunk 1 of 2', 'File 1 of 2']);
    expect(scrolled, 'the hunks, and the heads of files').toEqual(['1', 'file', '1', 'file', 'file']);
  });

  it('stands side by side by a key, and the choice is remembered', async () => {
    await show([first]);
    expect(rows()).toEqual(['line 10', 'new 10', 'line 50', 'new 50']);
    expect(document.querySelectorAll('.dp')).toHaveLength(0);
    await press('v');
    const pairs = [...document.querySelectorAll('.dp')].map((one) =>
      [...one.querySelectorAll('code')].map((code) => code.textContent),
    );
    expect(pairs).toEqual([
      ['line 10', 'new 10'],
      ['line 50', 'new 50'],
    ]);
    expect(localStorage.getItem('countersign-diff')).toBe('split');
    await fireEvent.click(screen.getByRole('button', { name: 'Unified' }));
    expect(document.querySelectorAll('.dp')).toHaveLength(0);
    expect(localStorage.getItem('countersign-diff')).toBe('unified');
  });

  it('is widened by a key on both sides of the hunk that is read', async () => {
    await show([first], { 'a.txt': file.join('\n') });
    await press('c');
    expect(asked()).toEqual([
      ['approval', 'a1', 0, 1, 1, 9],
      ['approval', 'a1', 0, 11, 11, 20],
    ]);
    expect(rows()).toEqual([...file.slice(0, 10), 'new 10', ...file.slice(10, 30), 'line 50', 'new 50']);
  });

  it('is widened by its buttons, up to the end of the file', async () => {
    await show([first], { 'a.txt': file.join('\n') });
    await fireEvent.click(screen.getByRole('button', { name: /^Show the 9 lines/ }));
    await settle();
    await fireEvent.click(screen.getByRole('button', { name: /^Show 20 lines before/ }));
    await settle();
    await fireEvent.click(screen.getByRole('button', { name: /^Show 20 lines below/ }));
    await settle();
    expect(rows().slice(-10)).toEqual(file.slice(50));
    expect(screen.queryByRole('button', { name: /below/ }), 'the file ended').toBeNull();
    await fireEvent.click(screen.getByRole('button', { name: /^Show the 19 lines/ }));
    await settle();
    expect(rows()).toHaveLength(62);
  });

  it('says why there are no lines around it, once', async () => {
    await show([first]);
    await press('c');
    const head = document.querySelector('[data-hunk="0"]');
    expect(head?.textContent).toContain('The file changed since this card was made.');
    const before = asked().length;
    await press('c');
    expect(asked()).toHaveLength(before);
  });

  it('keeps what was shown while the card is read again', async () => {
    await show([first], { 'a.txt': file.join('\n') });
    await press('c');
    const shown = rows().length;
    bridge.hint('approval.requested', 'a1');
    await settle(2_000);
    expect(rows()).toHaveLength(shown);
  });

  it('is never folded, however long its hunks are', async () => {
    const long = `@@ -0,0 +1,900 @@\n${'+line\n'.repeat(900)}`;
    await show([diff({ path: 'a.txt', unified: long, additions: 900, created: true })]);
    expect(screen.queryByRole('button', { name: /^Show the .* lines of this change/ })).toBeNull();
    expect(rows()).toHaveLength(900);
  });

  it('draws what cannot be seen as tokens on both sides', async () => {
    const hidden = '@@ -1 +1 @@\n-a\u202eb\n+a\u200bb\r\n';
    await show([diff({ path: 'a.txt', unified: hidden, additions: 1, deletions: 1 })]);
    for (const layout of ['unified', 'split']) {
      const tokens = [...document.querySelectorAll('.diff .tok')].map((one) => one.textContent);
      expect(tokens, layout).toEqual(['U+202E', 'U+200B', 'U+000D']);
      await press('v');
    }
  });
});

describe('a change of a finished call', () => {
  it('is widened by the id of the call, and its long hunks are folded until they are asked for', async () => {
    const long = `@@ -10,0 +11,900 @@\n${'+line\n'.repeat(900)}`;
    const call = callRow({ id: 'c1', toolId: 'edit', verb: 'Edit', subject: 'a.txt' });
    const one = detail(call, { diffs: [diff({ path: 'a.txt', unified: long, additions: 900 })] });
    bridge = new FakeBridge(world([], [one], { 'a.txt': file.join('\n') }));
    const opened = { detail: one, detailTrouble: '', tab: 'diff' as const, image: null, trouble: '', fold: () => {} };
    render(CallOpen, { props: { opened }, context: bridgeAlone(bridge) });
    await settle();
    expect(rows()).toEqual([]);
    await fireEvent.click(screen.getByRole('button', { name: 'Show the 900 lines of this change' }));
    expect(rows()).toHaveLength(900);
    await press('c');
    expect(asked()[0]).toEqual(['call', 'c1', 0, 1, 1, 10]);
  });
});
