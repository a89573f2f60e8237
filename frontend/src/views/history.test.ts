import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import App from '../App.svelte';
import { BridgeError } from '../lib/bridge/bridge';
import type { HistoryQuery, HistoryRow } from '../lib/bridge/dto';
import { FakeBridge } from '../lib/bridge/fake';
import HistoryLine from '../lib/history/HistoryLine.svelte';
import { before, desk, historyRow, session } from '../test/make';

let bridge: FakeBridge;

async function show(history: HistoryRow[], change?: (bridge: FakeBridge) => void) {
  bridge = new FakeBridge({
    snapshot: { desk: desk(), sessions: [session()], approvals: [], trust: [] },
    cards: [],
    views: [{ session: session(), items: [], before: '', after: '', seq: '1' }],
    details: [],
    trusts: [],
    tools: [],
    history,
  });
  change?.(bridge);
  location.hash = '#/history';
  render(App, { props: { bridge } });
  await settle();
}

const settle = (ms = 500) => vi.advanceTimersByTimeAsync(ms);
const press = (key: string, target: Element = document.body) => fireEvent.keyDown(target, { key });
const field = () => screen.getByRole('textbox', { name: 'Search the history' });
const chip = (name: string | RegExp) =>
  within(screen.getByRole('group', { name: 'Filters' })).getByRole('button', { name });
const queries = () => bridge.of('history') as HistoryQuery[];
const some = () => [historyRow({ id: 'i2', toolId: 'write' }), historyRow({ id: 'i1' })];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('the history', () => {
  it('says what it is for while there is nothing', async () => {
    await show([]);
    expect(screen.getByText('Nothing was called yet.')).toBeTruthy();
  });

  it('counts what was found', async () => {
    await show(some());
    expect(screen.getByText('2 calls')).toBeTruthy();
  });

  it('is searched by the keyboard: / goes to the field, Esc clears it and then leaves', async () => {
    await show(some());
    await press('/');
    expect(document.activeElement).toBe(field());
    await fireEvent.input(field(), { target: { value: 'nowhere' } });
    await settle();
    expect(screen.getByText('No call matches. Every call was looked at.')).toBeTruthy();
    await press('Escape', field());
    await settle();
    expect((field() as HTMLInputElement).value).toBe('');
    expect(screen.getByText('2 calls')).toBeTruthy();
    await press('Escape', field());
    expect(document.activeElement).not.toBe(field());
  });

  it('is filtered by the keyboard alone, and cleared', async () => {
    await show(some());
    await fireEvent.click(chip('Tool'));
    await settle();
    const menu = screen.getByRole('menu', { name: 'Tool' });
    const names = within(menu).getAllByRole('menuitemcheckbox');
    expect(names.map((one) => one.textContent?.trim())).toEqual(['read', 'write']);
    expect(document.activeElement).toBe(names[0]);
    await press('ArrowDown', menu);
    expect(document.activeElement).toBe(names[1]);
    await fireEvent.click(names[1]!);
    await settle();
    expect(queries().at(-1)?.tools).toEqual(['write']);
    expect(screen.getByText('1 call')).toBeTruthy();
    expect(names[1]?.getAttribute('aria-checked')).toBe('true');
    await press('Escape', menu);
    expect(screen.queryByRole('menu')).toBeNull();
    expect(document.activeElement).toBe(chip('Tool: write'));
    await fireEvent.click(chip('Clear the filter Tool'));
    await settle();
    expect(screen.getByText('2 calls')).toBeTruthy();
  });

  it('asks for what can be chosen when it is chosen', async () => {
    await show(some());
    bridge.world.history?.push(historyRow({ id: 'i0', toolId: 'zzz' }));
    await fireEvent.click(chip('Tool'));
    await settle();
    expect(screen.getByRole('menuitemcheckbox', { name: 'zzz' })).toBeTruthy();
  });

  it('takes one time at a time', async () => {
    await show(some());
    await fireEvent.click(chip('Any time'));
    await settle();
    expect(screen.getByRole('menuitemradio', { name: 'Any time' }).getAttribute('aria-checked')).toBe('true');
    await fireEvent.click(screen.getByRole('menuitemradio', { name: 'Last 7 days' }));
    await settle();
    expect(screen.queryByRole('menu')).toBeNull();
    expect(queries().at(-1)?.since).not.toBe('');
    await press('Escape');
    await settle();
    expect(queries().at(-1)?.since).toBe('');
  });

  it('says what went wrong, and tries again', async () => {
    await show(some(), (one) => {
      const answer = one.history.bind(one);
      one.history = async (query) => {
        one.history = answer;
        throw new BridgeError('storage', `The store cannot be read.${query.before}`);
      };
    });
    expect(screen.getByRole('alert').textContent).toContain('The store cannot be read.');
    await fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await settle();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByText('2 calls')).toBeTruthy();
  });

  it('says how far it looked, and can be stopped', async () => {
    await show([], (one) => {
      const once = [{ rows: [], next: '9.1', reachedAt: '2026-11-03T12:00:00Z' }];
      one.history = () => {
        const page = once.shift();
        return page ? Promise.resolve(page) : new Promise(() => {});
      };
    });
    expect(screen.getByText('Looking back, so far to 3 November 2026')).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.getByText('No call matches so far. Everything back to 3 November 2026 was looked at.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Look further back' })).toBeTruthy();
  });

  it('offers what is new instead of moving what is read', async () => {
    await show(some());
    bridge.world.history?.unshift(historyRow({ id: 'i3' }));
    bridge.hint('tool.call.proposed', 'i3');
    await settle();
    expect(screen.getByText('2 calls')).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: '1 new call' }));
    await settle();
    expect(screen.getByText('3 calls')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /new call/ })).toBeNull();
  });
});

describe('a line of the history', () => {
  const line = (row: HistoryRow, wanted = '') =>
    render(HistoryLine, {
      props: { row, wanted, workspace: desk().workspace, current: false, opened: false, onopen: () => {} },
    }).container;

  it('says how the call ended, where it was made, and who decided', () => {
    const text = line(
      historyRow(
        { verb: 'Write', subject: 'src/cart.ts', state: 'denied', at: before(60), durationMs: '0' },
        { words: 'not like this', by: 'denied by you', note: '', caller: 'Codex', title: 'Round the cart' },
      ),
    ).textContent?.replace(/\s+/g, ' ');
    for (const part of [
      'Denied',
      'Write src/cart.ts',
      'You: “not like this”',
      'Round the cart',
      'Codex, denied by you',
    ])
      expect(text).toContain(part);
  });

  it('sets our words in the font of the page, and those that were typed in the code font', () => {
    const foreign = (words: string, note: string) => {
      const box = line(historyRow({ durationMs: '2000' }, { words, note })).querySelector('.snip');
      return [
        box?.textContent?.replace(/\s+/g, ' '),
        [...(box?.querySelectorAll('.mono') ?? [])].map((one) => one.textContent),
      ];
    };
    expect(foreign('not like this', '')).toEqual(['You: “not like this”', ['“not like this”']]);
    expect(foreign('', '24 lines')).toEqual(['24 lines, 2.0 s', []]);
    expect(foreign('', '+3 −1')).toEqual(['+3 −1, 2.0 s', ['+3 −1']]);
  });

  it('says in which folder when that is not where the desk works', () => {
    const at = (workspace: string) =>
      line(historyRow({ subject: 'n001.txt' }, { workspace })).querySelector('.workspace');
    expect(at('/srv/two/dispatchd')?.textContent).toBe('Workspace:/srv/two/dispatchd');
    expect(at(desk().workspace)).toBeNull();
  });

  it('draws foreign text as text, and what would not be seen as a token', () => {
    const box = line(
      historyRow(
        { verb: 'Call', subject: '<img src=x onerror=alert(1)>\u202e', toolId: 'x' },
        { words: '<b>bold</b>\u200b', title: '<i>t</i>\u202e', caller: 'a\nb', by: 'denied by you' },
      ),
      'bold',
    );
    expect(box.querySelector('img, i')).toBeNull();
    expect([...box.querySelectorAll('.tok')].map((one) => one.textContent)).toEqual([
      'U+202E',
      'U+200B',
      'U+202E',
      'U+000A',
    ]);
    expect([...box.querySelectorAll('mark')].map((one) => one.textContent)).toEqual(['bold']);
    expect(box.textContent).toContain('<b>bold</b>');
  });

  it('does not name a caller again whose name is the title', () => {
    const text = line(historyRow({}, { title: 'Codex, 14:03', caller: 'Codex', by: 'denied by you' })).textContent;
    expect(text).toContain('denied by you');
    expect(text?.match(/Codex/g)).toHaveLength(1);
  });

  it('says how much of a long subject it leaves out', () => {
    const box = line(historyRow({ verb: 'Run', subject: 'a '.repeat(100).trim(), subjectLeft: 1_000, toolId: 'bash' }));
    expect(box.textContent?.replace(/\s+/g, ' ')).toContain('and 1,0');
  });
});
