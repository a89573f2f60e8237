import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { bridgeAlone } from '../bridge/context';
import type { CallDetail, CallRow, RunRow } from '../bridge/dto';
import { FakeBridge, type World } from '../bridge/fake';
import { callRow, desk, detail, textPart } from '../../test/make';
import CallLine from './CallLine.svelte';
import CallRun from './CallRun.svelte';

let bridge: FakeBridge;
const settle = (ms = 300) => vi.advanceTimersByTimeAsync(ms);
const text = (one: Element | null) => one?.textContent?.replace(/\s+/g, ' ').trim();

const call = (over: Partial<CallRow> = {}) =>
  callRow({ id: 'c1', toolId: 'bash', verb: 'Run', subject: 'npm test', durationMs: '4100', ...over });

const ran = (over: Partial<RunRow> = {}): RunRow => ({
  ...{ kind: 'command', sessionId: 's1', ending: 'Exit code 0', failed: false },
  ...{ dir: '/w', processId: '', logPath: '/o/bash-c1.txt', ...over },
});

const read = [textPart('$ npm test\nboth passed')];

async function show(one: CallDetail, printed: World['printed'] = {}) {
  bridge = new FakeBridge({
    snapshot: { desk: desk(), sessions: [], approvals: [], trust: [] },
    ...{ cards: [], views: [], details: [one], trusts: [], tools: [], printed },
  });
  const shown = render(CallRun, { props: { detail: one }, context: bridgeAlone(bridge) });
  await settle();
  return shown;
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

// spec: KH-48
test('a command that failed says so in a word and a sign, with its time and folder, above its output in colours', async () => {
  const one = detail(call({ failed: true }), { run: ran({ ending: 'Exit code 1', failed: true }), read });
  const { container } = await show(one, { c1: { printed: '\x1b[31mone failed\x1b[0m <b>\n' } });
  const mark = container.querySelector('.st');
  expect(text(mark)).toBe('Exit code 1');
  expect(mark?.classList.contains('failed')).toBe(true);
  expect(mark?.querySelector('svg')).not.toBeNull();
  expect(text(container.querySelector('.facts p'))).toMatch(/^Exit code 1 4\.1 s in \/w$/);
  const terminal = screen.getByRole('region', { name: 'What it printed' });
  expect(text(terminal)).toBe('one failed <b>');
  expect(terminal.querySelector('.a-ink-red')?.textContent).toBe('one failed');
  await fireEvent.click(screen.getByRole('button', { name: 'What the model read' }));
  expect(text(screen.getByRole('region', { name: 'Text that the model read' }))).toBe('$ npm test both passed');
});

// spec: KH-20
test('a result that was cut for the model says so', async () => {
  const one = detail(call(), { run: ran(), truncated: true, omitted: '1,143 lines left out of 1,396', read });
  const { container } = await show(one, { c1: { printed: 'x\n' } });
  expect(screen.getByText('· truncated').getAttribute('title')).toBe('1,143 lines left out of 1,396');
  expect(container.querySelector('.st')?.classList.contains('done')).toBe(true);
});

test('a command that runs shows what it prints as it comes, and its end', async () => {
  const printed: NonNullable<World['printed']> = {};
  const one = detail(call({ state: 'running' }), { run: ran({ ending: '', logPath: '' }), read: [], endedAt: '' });
  const { rerender } = await show(one, printed);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByText('It has printed nothing yet.')).toBeTruthy();
  printed.c1 = { printed: 'begun\n10 %', running: true };
  await settle(1_000);
  expect(text(screen.getByRole('region', { name: 'What it printed' }))).toBe('begun10 %');
  printed.c1 = { printed: 'begun\n10 %\rdone\n' };
  await rerender({ detail: detail(call(), { run: ran(), read }) });
  await settle();
  expect(text(screen.getByRole('region', { name: 'What it printed' }))).toBe('begundone');
  // It went on where it was, and reads nothing again.
  expect(bridge.of('callTail').at(-1)).toEqual({ id: 'c1', from: '10' });
  const asked = bridge.of('callTail').length;
  await settle(10_000);
  expect(bridge.of('callTail').length).toBe(asked);
});

test('output that is gone is said, and what the model read is still there', async () => {
  await show(detail(call(), { run: ran(), read }));
  expect(text(screen.getByRole('alert'))).toBe('Nothing that it printed was kept.');
  await fireEvent.click(screen.getByRole('button', { name: 'What the model read' }));
  expect(screen.getByRole('region', { name: 'Text that the model read' })).toBeTruthy();
});

test('a command that moved to the background leads to its process', async () => {
  await show(detail(call(), { run: ran({ ending: 'Went on as p4', processId: 'p4' }), read }), {
    c1: { printed: 'x' },
  });
  expect(screen.getByRole('link', { name: 'Show p4 in Processes' }).getAttribute('href')).toBe('#/processes/s1%20p4');
});

test('a call about a process shows what the model read', async () => {
  await show(detail(call({ toolId: 'process' }), { run: ran({ kind: 'process', processId: 'p3' }), read }));
  expect(screen.getByRole('region', { name: 'Text that the model read' })).toBeTruthy();
  expect(bridge.of('callTail')).toEqual([]);
});

test('the line of a command that runs has its last line, legible, and room for it before there is one', async () => {
  const props = { current: false, open: false, now: Date.now(), ontoggle: () => {} };
  const { container, rerender } = render(CallLine, { ...props, call: call({ state: 'running' }) });
  const last = () => text(container.querySelector('.last'));
  expect(last()).toBe('No output yet');
  await rerender({ last: '\x1b[32m10 %\r20 %\x1b[0m\u200b' });
  expect(last()).toBe('20 %U+200B');
  await rerender({ last: 'y'.repeat(1_000) });
  expect(last()).toBe(`${'y'.repeat(120)} and 880 more characters`);
  await rerender({ call: call({ state: 'succeeded', failed: true, figure: 'exit 1' }) });
  expect(last()).toBeUndefined();
  expect(text(container.querySelector('.st'))).toBe('Failed');
  expect(within(container).getByText(/exit 1, 4\.1 s/)).toBeTruthy();
});
