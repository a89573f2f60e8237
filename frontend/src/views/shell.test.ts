import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import App from '../App.svelte';
import type { Desk } from '../lib/bridge/dto';
import { FakeBridge } from '../lib/bridge/fake';
import { loosens } from '../lib/settings/choices';
import { card, desk, session, tool, toolSet } from '../test/make';
import { labels, views } from './route';

let bridge: FakeBridge;

async function show(over: Partial<Desk> = {}, hash = '#/approvals', firstReadMs = 0) {
  const cards = [card(), card({ id: 'a2', verb: 'Write the second' })];
  const sessions = [session({ busy: true }), session({ id: 's2', title: 'Allow everything', caller: 'Codex' })];
  const workspace = cards[0]?.row.workspace ?? '';
  const question = { root: workspace, workspace, askedBy: 'Codex', askerKind: 'mcp', sessionId: 's2' };
  bridge = new FakeBridge({
    snapshot: {
      desk: desk(over),
      sessions,
      approvals: cards.map((one) => one.row),
      trust: [
        { ...question, createdAt: cards[0]?.row.createdAt ?? '', opens: [], shut: [], postpone: false, waiting: 1 },
      ],
    },
    cards,
    views: sessions.map((one) => ({ session: one, items: [], before: '', after: '', seq: '0' })),
    details: [],
    trusts: [],
    tools: [toolSet({ tools: [tool()] })],
  });
  const reading = bridge.snapshot.bind(bridge);
  if (firstReadMs) {
    bridge.snapshot = async () => {
      await new Promise((done) => setTimeout(done, firstReadMs));
      return reading();
    };
  }
  location.hash = hash;
  render(App, { props: { bridge } });
  await settle();
}

const settle = (ms = 500) => vi.advanceTimersByTimeAsync(ms);
const press = (key: string, init: KeyboardEventInit = {}, target: Element = document.body) =>
  fireEvent.keyDown(target, { key, ...init });
const openPalette = () => press('k', { ctrlKey: true });
// By their attributes: to work out the roles of the whole page again and again takes seconds.
const palette = () => document.querySelector<HTMLElement>('dialog[aria-label="Commands"]');
const field = () => document.querySelector<HTMLInputElement>('dialog [role="combobox"]')!;
const options = () => [...document.querySelectorAll<HTMLElement>('dialog [role="option"]')];
const typed = (value: string) => fireEvent.input(field(), { target: { value } });
const rules = () => bridge.of('setRules');
const answered = () => [...bridge.of('answer'), ...bridge.of('answerTrust')];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('the commands', () => {
  it('keep every key from the card behind them, wherever the focus is', async () => {
    await show();
    await press(']');
    await settle();
    expect(screen.getByRole('heading', { name: 'Write 1 file' })).toBeTruthy();
    await openPalette();
    expect(palette()).toBeTruthy();
    for (const target of [document.body, field(), screen.getByRole('listbox', { name: 'Commands' })]) {
      for (const key of ['a', 'x', 'f', 's', ']']) await press(key, {}, target);
      await press('Enter', { ctrlKey: true }, target);
    }
    await settle();
    expect(answered()).toEqual([]);
    expect(palette()).toBeTruthy();
    expect(screen.queryByLabelText('What the agent is told, word for word')).toBeNull();
  });

  it('never answer a card, whichever of them is done', async () => {
    await show();
    await openPalette();
    const count = 40;
    let done = 0;
    for (let i = 0; i < count; i++) {
      if (!palette()) await openPalette();
      await typed('e');
      const all = options();
      const one = all[i];
      if (!one) break;
      done++;
      await fireEvent.click(one);
      await settle(50);
      // The values of a setting: the present one is under Enter.
      if (palette()) await press('Enter', {}, field());
      if (document.querySelector('dialog')) await press('Escape');
      await settle(50);
    }
    expect(done).toBeGreaterThan(12);
    expect(answered()).toEqual([]);
  });

  it('open a card, a session, a tool, a view and a section', async () => {
    await show({}, '#/tools');
    const run = async (query: string) => {
      await openPalette();
      await typed(query);
      await press('Enter', {}, field());
      await settle();
    };
    await run('write the second');
    expect(screen.getByRole('heading', { name: 'Write the second' })).toBeTruthy();
    await run('allow everything');
    expect(screen.getByRole('heading', { level: 1, name: 'Allow everything' })).toBeTruthy();
    await run('tools coding write');
    expect(screen.getByRole('complementary', { name: 'Tool write' })).toBeTruthy();
    await run('go to approvals');
    expect(screen.getByRole('region', { name: 'Waiting calls' })).toBeTruthy();
    await run('settings trusted');
    expect(location.hash).toBe('#/settings/trust');
    await run('trust this folder');
    expect(screen.getByRole('article', { name: 'Trust question' })).toBeTruthy();
    await run('new task');
    expect(location.hash).toBe('#/desk/new');
    await run('stop turn');
    expect(bridge.of('stopTurn')).toEqual(['s1']);
  });

  it('loosen nothing by one Enter, and tighten by one', async () => {
    await show();
    await openPalette();
    await typed('preset full');
    await press('Enter', {}, field());
    expect(rules()).toEqual([]);
    expect(field()).toHaveProperty('readOnly', true);
    await press('Enter', {}, field());
    await settle();
    expect([palette(), rules()]).toEqual([null, []]);

    await openPalette();
    await typed('preset full');
    await press('Enter', {}, field());
    await press('End', {}, field());
    await press('Enter', {}, field());
    await settle();
    expect(rules()).toMatchObject([{ preset: 'full', catalog: '', readOnly: '' }]);

    await openPalette();
    await typed('lock on');
    await press('Enter', {}, field());
    await settle();
    expect(rules().at(-1)).toMatchObject({ readOnly: 'on' });
    await openPalette();
    await typed('lock off');
    await press('Enter', {}, field());
    expect(rules()).toHaveLength(2);
    await press('Escape', {}, field());
    await press('Escape', {}, field());
    await settle();
    expect([palette(), rules().length]).toEqual([null, 2]);
  });

  it('tell a screen reader which line is meant', async () => {
    await show();
    await openPalette();
    const meant = () => document.getElementById(field().getAttribute('aria-activedescendant') ?? '');
    expect(field().getAttribute('aria-controls')).toBe(screen.getByRole('listbox', { name: 'Commands' }).id);
    expect(meant()).toBe(options()[0]);
    await press('ArrowDown', {}, field());
    expect(meant()).toBe(options()[1]);
    expect(meant()?.getAttribute('aria-selected')).toBe('true');
    await typed('zzzz');
    expect(field().hasAttribute('aria-activedescendant')).toBe(false);
    expect(within(palette()!).getByRole('status').textContent).toContain('Nothing is called that.');
  });

  it('give the focus back, and the rest of a held key to nobody', async () => {
    await show();
    await press(']');
    await settle();
    const deny = screen.getByRole('button', { name: /^Deny X/ });
    deny.focus();
    await press('k', { ctrlKey: true }, deny);
    await typed('theme dark');
    await press('Enter', {}, field());
    await settle(0);
    expect(document.activeElement).toBe(deny);
    // A browser makes a click of Enter on a button unless the key was taken.
    const held = new KeyboardEvent('keydown', { key: 'Enter', repeat: true, bubbles: true, cancelable: true });
    deny.dispatchEvent(held);
    expect(held.defaultPrevented).toBe(true);
    await fireEvent.keyUp(deny, { key: 'Enter' });
    const fresh = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
    deny.dispatchEvent(fresh);
    expect(fresh.defaultPrevented).toBe(false);
  });

  it('open from the status line, and close by a click beside them', async () => {
    await show();
    await fireEvent.click(screen.getByRole('button', { name: /Ctrl K/ }));
    expect(palette()).toBeTruthy();
    await fireEvent.click(field());
    expect(palette()).toBeTruthy();
    await fireEvent.click(palette()!);
    expect(palette()).toBeNull();
  });

  it('offer no change while the desk is away, and say why', async () => {
    await show();
    bridge.setLink('down');
    await settle();
    await openPalette();
    expect(within(palette()!).getByRole('status').textContent).toContain('The desk is not running');
    for (const query of ['preset', 'catalog', 'lock on', 'theme', 'new task', 'stop turn']) {
      await typed(query);
      const kinds = screen.queryAllByRole('group').map((one) => one.getAttribute('aria-labelledby') ?? '');
      const names = kinds.map((id) => document.getElementById(id)?.textContent?.trim());
      expect(names, query).not.toContain('Change');
      const lines = screen.queryAllByRole('option').map((one) => one.textContent);
      expect(lines.join(), query).not.toMatch(/New task|Stop the turn/);
    }
    await typed('go to tools');
    await press('Enter', {}, field());
    await settle();
    expect(location.hash).toBe('#/tools');
  });

  it('show hidden characters in what others named', async () => {
    await show();
    bridge.world.snapshot.sessions[1]!.title = 'Read\u202eonly';
    bridge.hint('session.changed');
    await settle();
    await openPalette();
    await typed('read');
    expect(options().some((one) => one.textContent?.includes('U+202E'))).toBe(true);
  });
});

describe('the keyboard map', () => {
  const map = () => screen.queryByRole('dialog', { name: 'Keyboard' });

  it('opens with ? and closes with ? and Esc, and no key passes it', async () => {
    await show();
    await press(']');
    await settle();
    await press('?', { shiftKey: true });
    expect(map()).toBeTruthy();
    await press('a');
    await press('x');
    await settle();
    expect(answered()).toEqual([]);
    await press('?', { shiftKey: true });
    expect(map()).toBeNull();
    await press('?', { shiftKey: true });
    await press('Escape');
    expect(map()).toBeNull();
  });

  it('is a question mark in a field', async () => {
    await show({}, '#/tools');
    await press('?', { shiftKey: true }, screen.getByRole('searchbox'));
    expect(map()).toBeNull();
  });
});

describe('a view that is gone to', () => {
  const main = () => screen.getByRole('main');

  it('has the keys, whichever it is and however it was gone to', async () => {
    await show();
    const links = () => within(screen.getByRole('navigation', { name: 'Views' })).getAllByRole('link');
    for (const view of [...views].reverse()) {
      const link = links().find((one) => one.getAttribute('href') === `#/${view}`);
      link?.focus();
      expect(document.activeElement).toBe(link);
      location.hash = `#/${view}`;
      await settle();
      expect(document.activeElement).toBe(main());
      expect(main().getAttribute('aria-label')).toBe(labels[view]);
    }
    await press('3', { ctrlKey: true });
    await settle();
    expect(document.activeElement).toBe(main());
    expect(main().getAttribute('aria-label')).toBe('Tools');
    const again = screen.getByRole('link', { name: 'Tools' });
    again.focus();
    await fireEvent.click(again);
    expect(document.activeElement).toBe(main());
  });

  it('keeps them when the desk is read for the first time only then', async () => {
    await show({}, '#/desk', 2_000);
    location.hash = '#/settings';
    await settle();
    const first = main();
    expect(document.activeElement).toBe(first);
    await settle(3_000);
    expect(main()).not.toBe(first);
    expect(document.activeElement).toBe(main());
  });

  it('leaves them where it gave them itself, and where its own part of the address changed', async () => {
    await show({}, '#/tools');
    await openPalette();
    await typed('new task');
    await press('Enter', {}, field());
    await settle();
    expect(document.activeElement?.id).toBe('task');
    location.hash = '#/desk/s2';
    await settle();
    const link = screen.getByRole('link', { name: /^Allow everything/ });
    link.focus();
    location.hash = '#/desk/s1';
    await settle();
    expect(document.activeElement).toBe(link);
  });

  it('hears what is pressed at once, and the one that was left does not', async () => {
    await show();
    await press(']');
    await settle();
    expect(screen.getByRole('heading', { name: 'Write 1 file' })).toBeTruthy();
    location.hash = '#/desk';
    await press('x');
    await press('a');
    await settle();
    expect(answered()).toEqual([]);
    location.hash = '#/approvals';
    await settle();
    await press('x');
    await settle();
    expect(answered()).toHaveLength(1);
  });
});

it('a setting that is not known counts as looser', () => {
  expect(loosens('preset', 'default', 'edit')).toBe(true);
  expect(loosens('preset', 'full', 'default')).toBe(false);
  expect(loosens('catalog', 'work', 'plan')).toBe(false);
  expect(loosens('lock', 'on', 'off')).toBe(true);
  expect(loosens('preset', 'default', 'newest')).toBe(true);
});
