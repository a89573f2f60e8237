import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { before, callRow, desk, detail, session } from '../../test/make';
import { BridgeError } from '../bridge/bridge';
import { bridgeAlone } from '../bridge/context';
import type { ExcerptRequest, Found } from '../bridge/dto';
import { FakeBridge } from '../bridge/fake';
import FoundList from './FoundList.svelte';
import { drawable, placesOf, spansNow } from './places';

const text = Array.from({ length: 600 }, (_, i) => `line ${i + 1} of it`);
const hit = (line: number) => ({ line, text: `line ${line} of it`, spans: [{ from: 0, to: 4 }] });
const lines: Found = {
  kind: 'lines',
  groups: [
    { path: 'a.txt', lines: [hit(3), hit(500)] },
    { path: 'gone.txt', lines: [{ line: 7, text: '\u202ehidden', spans: [] }] },
  ],
  files: [],
  left: 0,
};
const files: Found = {
  kind: 'files',
  groups: [],
  files: [
    { path: 'a.txt', modifiedAt: before(3_600) },
    { path: 'b\nc.txt', modifiedAt: before(90_000) },
  ],
  left: 0,
};

let bridge: FakeBridge;
function show(found: Found, spillPath = '') {
  bridge = new FakeBridge({
    snapshot: { desk: desk(), sessions: [session()], approvals: [], trust: [] },
    ...{ cards: [], views: [], details: [], trusts: [], tools: [] },
    files: { 'a.txt': text.join('\n'), '/out/grep.txt': 'the whole list' },
  });
  const props = { detail: detail(callRow({ id: 'c1', toolId: 'grep' }), { found, spillPath }) };
  return render(FoundList, { props, context: bridgeAlone(bridge) });
}

const settle = () => vi.advanceTimersByTimeAsync(50);
const click = async (name: RegExp) => {
  await fireEvent.click(screen.getByRole('button', { name }));
  await settle();
};
const press = async (key: string, target: Element = document.activeElement ?? document.body) => {
  await fireEvent.keyDown(target, { key });
  await settle();
};
const panel = () => document.querySelector('dialog');
const shown = () =>
  [...document.querySelectorAll('dialog .xl')].map((one) => one.textContent?.trim().replace(/\s+/g, ' '));
const now = () => document.querySelector('dialog .now')?.textContent?.trim().replace(/\s+/g, ' ');
const asked = () => (bridge.of('excerpt') as ExcerptRequest[]).map((one) => [one.path, one.first, one.count]);

beforeEach(() => {
  vi.useFakeTimers();
  Element.prototype.scrollIntoView = () => {};
  HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
    this.open = true;
  };
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('what a search found', () => {
  // spec: KH-39
  it('stands by file, with the matches marked and hidden characters as tokens', () => {
    const { container } = show(lines);
    const heads = [...container.querySelectorAll('h2')].map((one) => one.textContent?.trim());
    expect(heads).toEqual(['a.txt2', 'gone.txt1']);
    expect([...container.querySelectorAll('mark')].map((one) => one.textContent)).toEqual(['line', 'line']);
    expect(container.querySelector('.tok')?.textContent).toBe('U+202E');
  });

  it('opens a file at its line, and goes on to the other matches', async () => {
    show(lines);
    await click(/^500/);
    expect(asked()).toEqual([['a.txt', 440, 160]]);
    expect(now()).toBe('500 line 500 of it');
    expect(document.querySelector('dialog .now mark')?.textContent).toBe('line');
    await press('p');
    expect(now()).toBe('3 line 3 of it');
    await press('n');
    await press('n');
    expect(within(panel()!).getByRole('alert').textContent).toContain('It is not there any more.');
    expect(shown()).toEqual([]);
    await press('Escape');
    expect(panel()).toBeNull();
    expect(document.activeElement?.textContent, 'the match that was read last').toContain('hidden');
  });

  it('says that a line is another one when the file has changed since', async () => {
    show(lines);
    await click(/^500/);
    expect(screen.queryByRole('alert')).toBeNull();
    await press('Escape');
    bridge.world.files = { 'a.txt': ['a new first line', ...text].join('\n') };
    await click(/^3/);
    expect(now()).toBe('3 line 2 of it');
    expect(screen.getByRole('alert').textContent).toContain('line 3 is another one now');
  });

  it('shows more of the file on either side, to its ends', async () => {
    show(lines);
    await click(/^500/);
    await click(/^Earlier lines/);
    await click(/^Later lines/);
    expect(shown().length).toBe(600 - 239);
    expect(screen.getByText('The file ends here.')).toBeTruthy();
    await click(/^Earlier lines/);
    await click(/^Earlier lines/);
    expect(shown()).toEqual(text.map((line, i) => `${i + 1} ${line}`));
    expect(screen.queryByRole('button', { name: 'Earlier lines' })).toBeNull();
  });

  it('says why a file is not shown, and keeps what was found', async () => {
    const { container } = show(lines);
    bridge.refusal = new BridgeError('protected', 'This file is protected.');
    await click(/^3/);
    expect(screen.getByRole('alert').textContent).toContain('This file is protected.');
    expect(container.querySelectorAll('h2')).toHaveLength(2);
  });

  it('is gone through by the arrows', async () => {
    show(lines);
    const buttons = screen.getAllByRole('button');
    buttons[0]?.focus();
    await press('ArrowDown');
    await press('ArrowDown');
    await press('ArrowDown');
    expect(document.activeElement).toBe(buttons[2]);
    await press('ArrowUp');
    expect(document.activeElement).toBe(buttons[1]);
  });

  // spec: KH-44
  it('as files has the age of each, and a name with a line break stays one', async () => {
    const { container } = show(files);
    expect([...container.querySelectorAll('.chip')].map((one) => one.textContent)).toEqual(['1 h ago', 'yesterday']);
    expect(container.querySelector('.tok')?.textContent).toBe('U+000A');
    await click(/^a\.txt/);
    expect(asked()).toEqual([['a.txt', 1, 160]]);
  });

  it('says how much more there is, and where', async () => {
    show({ ...lines, left: 1_312 }, '/out/grep.txt');
    expect(screen.getByText('+ 1,312 more matching lines')).toBeTruthy();
    await click(/^Show the full list/);
    expect(shown()).toEqual(['1 the whole list']);
    expect(screen.queryByRole('button', { name: /^Next match/ })).toBeNull();
    cleanup();
    show({ ...files, left: 2 });
    expect(screen.getByText('The full list was not kept.')).toBeTruthy();
  });
});

describe('places', () => {
  it('are those of all groups in order', () => {
    expect(placesOf(lines).map(({ path, line }) => [path, line])).toEqual([
      ['a.txt', 3],
      ['a.txt', 500],
      ['gone.txt', 7],
    ]);
  });

  it('are drawn in order, apart, and inside their line', () => {
    const spans = [
      { from: 5, to: 9 },
      { from: 0, to: 3 },
      { from: 2, to: 6 },
      { from: 8, to: 99 },
      { from: 50, to: 60 },
    ];
    expect(drawable(spans, 12)).toEqual([
      { from: 0, to: 3 },
      { from: 3, to: 6 },
      { from: 6, to: 9 },
      { from: 9, to: 12 },
    ]);
  });

  it('are marked in a line that is the same as when it was found', () => {
    const place = { path: 'a', ...hit(3), text: 'line 3…' };
    expect(spansNow(place, 'line 3 of it')).toHaveLength(1);
    expect(spansNow(place, 'another line')).toEqual([]);
    expect(spansNow({ ...place, text: '…of it' }, 'line 3 of it')).toEqual([]);
  });
});
