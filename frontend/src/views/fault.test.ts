import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import App from '../App.svelte';
import { typedMs } from '../lib/approval/guard.svelte';
import { BridgeError, type Link } from '../lib/bridge/bridge';
import type { PageFault, Snapshot } from '../lib/bridge/dto';
import { FakeBridge } from '../lib/bridge/fake';
import { card, desk, session } from '../test/make';
import { pieces } from './pieces';

let bridge: FakeBridge;
const snapshot = (approvals = [card().row]): Snapshot => ({
  desk: desk(),
  sessions: [session()],
  approvals,
  trust: [],
});

async function show(cards = [card()], hash = '#/approvals', link: Link = 'up') {
  const views = [{ session: session(), items: [], before: '', after: '', seq: '0' }];
  bridge = new FakeBridge(
    { snapshot: snapshot(cards.map((one) => one.row)), cards, views, details: [], trusts: [], tools: [] },
    link,
  );
  location.hash = hash;
  render(App, { props: { bridge } });
  await settle();
}

const settle = (ms = 500) => vi.advanceTimersByTimeAsync(ms);
const told = () => bridge.of('reportFault') as PageFault[];

async function go(hash: string) {
  location.hash = hash;
  dispatchEvent(new HashChangeEvent('hashchange'));
  await settle();
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('a view that cannot be read', () => {
  it('is said in its place and told to the desk, and is read again when asked', async () => {
    const { tools } = pieces;
    const was = tools.part;
    const load = vi.spyOn(tools, 'load');
    try {
      tools.part = undefined;
      load.mockImplementation(async () => void (tools.failure = { cause: new TypeError('no such file') }));
      await show();
      await go('#/tools');
      expect(screen.getByRole('alert').textContent).toContain('Tools could not be drawn.');
      expect(told()).toMatchObject([{ where: 'Tools', message: 'TypeError: no such file' }]);
      load.mockImplementation(async () => {
        tools.failure = undefined;
        tools.part = was;
      });
      await fireEvent.click(screen.getByRole('button', { name: 'Draw this view again' }));
      await settle();
      expect(screen.queryByRole('alert')).toBeNull();
      expect(screen.getByRole('heading', { name: 'Tools' })).toBeTruthy();
    } finally {
      load.mockRestore();
      Object.assign(tools, { part: was, failure: undefined });
    }
  });

  it('is there later, and has the keys of what stood for it', async () => {
    const { tools } = pieces;
    const was = tools.part;
    const load = vi.spyOn(tools, 'load').mockResolvedValue();
    try {
      tools.part = undefined;
      await show();
      await go('#/tools');
      expect(document.activeElement?.getAttribute('aria-label')).toBe('Tools');
      const stood = document.activeElement;
      tools.part = was;
      await settle();
      expect(stood?.isConnected).toBe(false);
      expect(document.activeElement?.getAttribute('aria-label')).toBe('Tools');
    } finally {
      load.mockRestore();
      tools.part = was;
    }
  });
});

describe('a view that breaks', () => {
  // A row that cannot be drawn: the desk sent it without a verb.
  const breakRow = () => (bridge.world.snapshot.approvals = [{ ...card().row, verb: null as never }]);

  it('is said in its place and told to the desk, and the others go on', async () => {
    await show();
    breakRow();
    bridge.hint('approval.requested');
    await settle();
    expect(screen.getByRole('alert').textContent).toContain('Approvals could not be drawn.');
    expect(told()[0]).toMatchObject({ where: 'Approvals' });
    expect(told()[0]?.message).toContain('TypeError');
    expect(screen.getByRole('navigation', { name: 'Views' })).toBeTruthy();
    expect(screen.getByRole('button', { name: /^Preset/ })).toBeTruthy();
    await go('#/tools');
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByRole('heading', { name: 'Tools' })).toBeTruthy();
  });

  it('is drawn again when asked, once the cause has gone', async () => {
    await show();
    breakRow();
    bridge.hint('approval.requested');
    await settle();
    await fireEvent.click(screen.getByRole('button', { name: 'Draw this view again' }));
    await settle();
    expect(screen.getByRole('alert').textContent).toContain('Approvals could not be drawn.');
    bridge.world.snapshot.approvals = [card().row];
    bridge.hint('approval.requested');
    await settle();
    await fireEvent.click(screen.getByRole('button', { name: 'Draw this view again' }));
    await settle();
    expect(screen.getByRole('heading', { name: card().row.verb })).toBeTruthy();
    expect(bridge.of('answer')).toEqual([]);
  });
});

describe('a card that breaks', () => {
  // The desk sent it without its paths.
  const broken = (row = {}) => ({ ...card(row), paths: null as never });
  const failed = () => screen.queryByText(/This card could not be drawn, so it takes no answer/);
  const press = (key: string) => fireEvent.keyDown(document.body, { key });

  it('takes no answer, and the others take theirs', async () => {
    await show([broken(), card({ id: 'a2', verb: 'Write the second' })]);
    expect(failed()).toBeTruthy();
    expect(told()[0]).toMatchObject({ where: 'Card' });
    await press('a');
    await press('x');
    await settle();
    expect(bridge.of('answer')).toEqual([]);
    await press(']');
    await settle(typedMs);
    expect(failed()).toBeNull();
    expect(screen.getByRole('heading', { name: 'Write the second' })).toBeTruthy();
    await press('a');
    await settle();
    expect(bridge.of('answer')).toMatchObject([{ id: 'a2', resolution: 'allow_once' }]);
  });

  it('is drawn again when asked', async () => {
    await show([broken()]);
    bridge.world.cards = [card()];
    bridge.hint('approval.requested', 'a1');
    await settle();
    await fireEvent.click(screen.getByRole('button', { name: 'Draw it again' }));
    await settle();
    expect(failed()).toBeNull();
    expect(screen.getByRole('heading', { name: card().row.verb })).toBeTruthy();
  });
});

describe('a fault outside every view', () => {
  it('is said above the views, which stay', async () => {
    await show();
    dispatchEvent(new ErrorEvent('error', { message: 'broken', error: new Error('broken') }));
    await settle();
    expect(screen.getByRole('alert').textContent).toContain('Something in this page went wrong');
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
    expect(screen.getByRole('article', { name: 'Approval' })).toBeTruthy();
    expect(told()).toMatchObject([{ where: 'page', message: 'Error: broken' }]);
  });
});

describe('before the first reading', () => {
  it('says what is read once that takes long, and shows nothing that it does not know', async () => {
    let answer = (_: Snapshot) => {};
    const late = vi
      .spyOn(FakeBridge.prototype, 'snapshot')
      .mockImplementation(() => new Promise((resolve) => (answer = resolve)));
    await show();
    expect(screen.getByText('Reading the desk', { selector: 'header *' })).toBeTruthy();
    expect(screen.queryByText(/0 waiting|Nothing is waiting/)).toBeNull();
    late.mockRestore();
    answer(snapshot());
    await settle();
    expect(screen.getByRole('article', { name: 'Approval' })).toBeTruthy();
  });

  it('says why it failed, and reads again when asked', async () => {
    const failing = vi
      .spyOn(FakeBridge.prototype, 'snapshot')
      .mockRejectedValue(new BridgeError('internal', 'The store could not be read.'));
    await show();
    expect(screen.getByRole('alert').textContent).toContain('The store could not be read.');
    failing.mockRestore();
    await fireEvent.click(screen.getByRole('button', { name: 'Read it again' }));
    await settle();
    expect(screen.getByRole('article', { name: 'Approval' })).toBeTruthy();
  });

  it.each<[Link, string]>([
    ['down', 'The desk is not running.'],
    ['refused', 'The desk does not know this page.'],
  ])('says that the desk is %s', async (link, words) => {
    await show([card()], '#/desk', link);
    const said = screen.getAllByRole('alert').map((one) => one.textContent ?? '');
    expect(said.some((one) => one.includes(words))).toBe(true);
    expect(screen.queryByText(/No agent has worked here yet/)).toBeNull();
  });
});
