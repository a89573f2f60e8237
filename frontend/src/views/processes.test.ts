import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import App from '../App.svelte';
import { BridgeError } from '../lib/bridge/bridge';
import { FakeBridge } from '../lib/bridge/fake';
import type { Printing } from '../lib/bridge/fakeprocess';
import { before, desk, process } from '../test/make';

let bridge: FakeBridge;

const ended = {
  status: 'exited',
  endedAt: before(60),
  statusWords: 'Exited with code 1',
  failed: true,
  input: false,
  stop: false,
};
const two = (): Printing[] => [
  { row: process({ cpuMs: '1000' }), printed: '\x1b[32mready\x1b[0m\n', answers: (input) => `got ${input}` },
  {
    row: process({ id: 'p2', command: 'npm test', ...ended, measured: false }),
    printed: 'one failed\n',
  },
];

async function show(processes: Printing[] = two(), hash = '#/processes') {
  bridge = new FakeBridge({
    snapshot: { desk: desk({ processes: 1 }), sessions: [], approvals: [], trust: [] },
    ...{ cards: [], views: [], details: [], trusts: [], tools: [], processes },
  });
  location.hash = hash;
  render(App, { props: { bridge } });
  await settle();
}

const settle = (ms = 500) => vi.advanceTimersByTimeAsync(ms);
const press = (key: string, target: Element = document.body) => fireEvent.keyDown(target, { key });
const table = () => within(screen.getByRole('table', { name: 'Processes' }));
const cells = (i: number) => {
  const row = table().getAllByRole('row')[i] as HTMLElement;
  const texts = within(row).getAllByRole('cell');
  return texts.map((one) => one.textContent?.replace(/\s+/g, ' ').trim()).join(' | ');
};
const pane = (id: string) => within(screen.getByRole('region', { name: `Process ${id}` }));
const field = () => screen.getByRole('textbox', { name: 'Line for p1' });
const click = async (element: Element) => {
  await fireEvent.click(element);
  await settle();
};

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  location.hash = '';
  vi.useRealTimers();
});

describe('the processes', () => {
  it('are a table, with the first one chosen and its output beside its state', async () => {
    await show();
    expect(cells(1)).toMatch(
      /^p1 \| Process p1 npm run dev .*\| Running \| – \| 183\.0 MB \| 4 min 3\d s \| Retry backoff/,
    );
    expect(cells(2)).toMatch(/^p2 \| Process p2 npm test .*\| Exited with code 1 \| – \| – \| /);
    expect(screen.getByText('1 running, 1 ended')).toBeTruthy();
    expect(pane('p1').getByText(/pid 41232, 3 processes/)).toBeTruthy();
    expect(table().getByRole('button', { name: /p1/ }).getAttribute('aria-current')).toBe('true');
    expect(table().getByRole('button', { name: /p2/ }).getAttribute('tabindex')).toBe('-1');
  });

  it('tell how much of a processor each used between two looks', async () => {
    const world = two();
    await show(world);
    if (world[0]) world[0].row.cpuMs = '1500';
    await settle(2_000);
    expect(cells(1)).toMatch(/ \| 2[0-9] % \| /);
  });

  it('are chosen by key and by click, and by an address', async () => {
    await show();
    await press('j');
    await settle();
    expect(pane('p2').getByText('It has ended.')).toBeTruthy();
    expect(pane('p2').queryByRole('button', { name: /Stop/ })).toBeNull();
    await press('ArrowUp');
    await settle();
    expect(field()).toBeTruthy();
    await click(table().getByRole('button', { name: /p2/ }));
    expect(pane('p2')).toBeTruthy();
    cleanup();
    await show(two(), `#/processes/${encodeURIComponent('s1 p2')}`);
    expect(pane('p2')).toBeTruthy();
  });

  it('are written to a line at a time, and a line that was not sent stays', async () => {
    await show();
    // A key that was taken writes nothing into the field that it leads to.
    expect(await press('i')).toBe(false);
    expect(document.activeElement).toBe(field());
    // What is written is no key of the view.
    await press('x', field());
    expect(screen.queryByRole('group', { name: 'Stop p1' })).toBeNull();
    await fireEvent.input(field(), { target: { value: 'rs' } });
    bridge.refusal = new BridgeError('x', 'It reads nothing any more.');
    await press('Enter', field());
    await settle();
    expect(screen.getByRole('alert').textContent).toContain('It reads nothing any more.');
    expect((field() as HTMLInputElement).value).toBe('rs');
    await press('Enter', field());
    await settle();
    expect(bridge.of('writeProcess').at(-1)).toEqual({ sessionId: 's1', id: 'p1', text: 'rs\n' });
    expect((field() as HTMLInputElement).value).toBe('');
    expect(screen.queryByRole('alert')).toBeNull();
    expect(await press('Escape', field())).toBe(false);
    expect(document.activeElement).toBe(document.body);
  });

  it('are stopped after a question whose first button does nothing', async () => {
    await show();
    await press('x');
    const question = within(screen.getByRole('group', { name: 'Stop p1' }));
    const keep = question.getByRole('button', { name: /Keep it running/ });
    expect(document.activeElement).toBe(keep);
    expect(question.getByText(/the 2 other processes that it started/)).toBeTruthy();
    expect(question.getByText(/after 3 seconds/)).toBeTruthy();
    await press('Escape');
    await settle();
    expect(screen.queryByRole('group', { name: 'Stop p1' })).toBeNull();
    expect(document.activeElement).toBe(pane('p1').getByRole('button', { name: /^Stop/ }));
    expect(bridge.of('stopProcess')).toEqual([]);
    await press('x');
    await click(screen.getByRole('button', { name: 'Stop p1' }));
    expect(bridge.of('stopProcess')).toEqual([{ sessionId: 's1', id: 'p1' }]);
    expect(pane('p1').getByText('Stopped by you')).toBeTruthy();
    expect(screen.queryByRole('textbox', { name: 'Line for p1' })).toBeNull();
  });

  it('open their full log by a key, which then has the keys', async () => {
    await show();
    await press('o');
    await settle();
    expect(bridge.of('output')).toEqual([{ sessionId: 's1', name: 'p1.log' }]);
    await press('x');
    await settle();
    expect(screen.queryByRole('group', { name: 'Stop p1' })).toBeNull();
  });

  it('say why one could not be stopped', async () => {
    await show();
    bridge.refusal = new BridgeError('x', 'It does not end. End pid 41232 by hand.');
    await press('x');
    await click(screen.getByRole('button', { name: 'Stop p1' }));
    expect(screen.getByRole('alert').textContent).toContain('End pid 41232 by hand.');
    expect(pane('p1').getByRole('button', { name: /^Stop/ })).toBeTruthy();
  });

  it('can be none, or not to be read', async () => {
    await show([]);
    expect(screen.getByText(/^Nothing runs in the background\./)).toBeTruthy();
    cleanup();
    bridge = new FakeBridge({
      snapshot: { desk: desk(), sessions: [], approvals: [], trust: [] },
      ...{ cards: [], views: [], details: [], trusts: [], tools: [] },
    });
    vi.spyOn(bridge, 'processes').mockRejectedValue(new BridgeError('x', 'The store cannot be read.'));
    location.hash = '#/processes';
    render(App, { props: { bridge } });
    await settle();
    expect(screen.getByRole('alert').textContent).toContain('The store cannot be read.');
    expect(screen.getByRole('button', { name: 'Read again' })).toBeTruthy();
  });

  it('are left alone while the desk is away', async () => {
    await show();
    bridge.setLink('down');
    await settle();
    expect(pane('p1').queryByRole('button', { name: /Stop/ })).toBeNull();
    expect(pane('p1').getByText(/^The desk is not running, so nothing can be written/)).toBeTruthy();
    await press('x');
    expect(screen.queryByRole('group', { name: 'Stop p1' })).toBeNull();
  });

  it('are counted in the status line, which leads to them, and found by the commands', async () => {
    await show(two(), '#/tools');
    expect(screen.getByRole('link', { name: '1 process' }).getAttribute('href')).toBe('#/processes');
    const asked = bridge.of('processTail').length;
    await fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    await settle();
    await fireEvent.input(screen.getByRole('combobox'), { target: { value: 'npm test' } });
    await settle();
    // Nothing is followed for a view that is not open.
    expect(bridge.of('processTail').length).toBe(asked);
    await press('Enter', screen.getByRole('combobox'));
    await settle();
    expect(location.hash).toBe('#/processes');
  });
});
