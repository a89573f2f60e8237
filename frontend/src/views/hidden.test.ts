import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import App from '../App.svelte';
import { guardMs } from '../lib/approval/guard.svelte';
import { unplain, type Looked } from '../lib/approval/honest';
import type { ApprovalCard, ChangeForm, ChangeQuery, Revealed } from '../lib/bridge/dto';
import { FakeBridge } from '../lib/bridge/fake';
import { before, card, choice, desk, diff, offer, session, step } from '../test/make';

const marker = '[redacted:51a3]';
const other = '[redacted:ffff]';
const hidden = [{ kind: 'password', count: 1, words: '1 password' }];

let bridge: FakeBridge;

async function show(cards: ApprovalCard[], revealed: Record<string, Revealed> = {}) {
  bridge = new FakeBridge({
    snapshot: { desk: desk(), sessions: [session()], approvals: cards.map((one) => one.row), trust: [] },
    cards,
    ...{ views: [], details: [], trusts: [], tools: [], revealed },
  });
  location.hash = '#/approvals';
  render(App, { props: { bridge } });
  await settle();
}

const settle = (ms = 500) => vi.advanceTimersByTimeAsync(ms);
const press = (key: string) => fireEvent.keyDown(document.body, { key });
const bar = () => within(screen.getByRole('group', { name: 'Answer' }));
const allow = () => bar().getByRole('button', { name: /^Allow once/ }) as HTMLButtonElement;
const secret = 'hunter22';

const run = (over: Partial<ApprovalCard> = {}) =>
  card(
    { toolId: 'bash', subject: `login ${marker}`, marker, createdAt: before(90) },
    {
      ...{ preview: 'command', command: `login ${marker} now`, arguments: [], paths: [], about: [], offers: [] },
      ...{ marker, hidden, mustReveal: true, hold: false, ...over },
    },
  );
const shownOf = (one: ApprovalCard, over: Partial<Revealed> = {}): Revealed => {
  const { command, odd, listing, url, input, about, diffs, paths, arguments: args, canonical, canonicalLeft } = one;
  return {
    ...{
      command,
      odd,
      listing,
      url,
      input,
      about,
      diffs,
      paths,
      arguments: args,
      canonical,
      canonicalLeft,
      pieces: [secret],
    },
    ...over,
  };
};

const chips = (place: Element) => [...place.querySelectorAll('.hid')].map((one) => one.textContent);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
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

describe('what is hidden', () => {
  const one = run();
  const other = card({ id: 'a2', verb: 'Write the second', createdAt: before(30) }, { diffs: [diff()] });
  const text = () => document.querySelector('.cmd')?.textContent?.trim();

  it('in a command keeps Allow off until it was revealed, on that card alone', async () => {
    await show([one, other], { a1: shownOf(one, { command: `login ${secret} now` }) });
    expect(allow().disabled).toBe(true);
    expect(bar().getByText('Allow is off until what is hidden was revealed.')).toBeTruthy();
    await press('a');
    await settle(1_500);
    expect(bridge.of('answer')).toEqual([]);
    await press('r');
    await settle(1_500);
    expect(bridge.of('reveal')).toEqual([{ id: 'a1', hash: one.hash }]);
    expect(text()).toBe(`1 login ${secret} now`);
    expect(document.querySelector('.rev')?.textContent).toBe(secret);
    expect(allow().disabled).toBe(false);
    // Whoever leaves the card finds it hidden again.
    await press(']');
    await settle(1_500);
    expect(document.body.textContent).not.toContain(secret);
    await press('[');
    await settle(1_500);
    expect(text()).toBe('1 login [redacted] now');
    expect(allow().disabled).toBe(true);
    expect(bridge.of('reveal')).toHaveLength(1);
    await press('r');
    await settle(1_500);
    await press('a');
    await settle(1_500);
    expect(bridge.of('answer')).toHaveLength(1);
  });

  it('is a new card once it is revealed, which takes no answer at once', async () => {
    await show([one], { a1: shownOf(one, { command: `login ${secret} now` }) });
    const counter = within(screen.getByRole('group', { name: 'Not plainly shown' }));
    await fireEvent.click(counter.getByRole('button', { name: '1 redacted' }));
    await settle(guardMs - 50);
    expect(text()).toContain(secret);
    for (const button of [allow(), bar().getByRole('button', { name: /^Deny X/ })]) {
      await fireEvent.pointerDown(button);
      await fireEvent.click(button, { detail: 1 });
    }
    await settle(1_500);
    expect(bridge.of('answer')).toEqual([]);
    await fireEvent.pointerDown(allow());
    await fireEvent.click(allow(), { detail: 1 });
    await settle();
    expect(bridge.of('answer')).toHaveLength(1);
  });

  it('is hidden again by the same key, and when the view is left', async () => {
    await show([one], { a1: shownOf(one, { command: `login ${secret} now` }) });
    await press('r');
    await settle();
    await press('r');
    await settle();
    expect(text()).toBe('1 login [redacted] now');
    await press('r');
    await settle();
    expect(text()).toContain(secret);
    location.hash = '#/desk';
    await settle();
    location.hash = '#/approvals';
    await settle();
    expect(document.body.textContent).not.toContain(secret);
  });

  it('that cannot be revealed any more is said, and Allow stays off', async () => {
    await show([one]);
    await press('r');
    await settle();
    expect(screen.getByRole('alert').textContent).toContain('What this card shows is out of date.');
    expect(allow().disabled).toBe(true);
  });

  it('in what a file would hold keeps back only what allows for longer', async () => {
    const unified = `@@ -0,0 +1 @@\n+pass=${marker}\n`;
    const wide = {
      offers: [offer({ choices: [choice('a.txt', 'Later writes to a.txt', 'write', 'file')] })],
      noGrant: '',
    };
    const write = card({ createdAt: before(90) }, { marker, hidden, diffs: [diff({ unified })], ...wide });
    await show([write], { a1: shownOf(write, { diffs: [diff({ unified: `@@ -0,0 +1 @@\n+pass=${secret}\n` })] }) });
    expect(allow().disabled).toBe(false);
    expect(bar().queryByRole('button', { name: /session/ })).toBeNull();
    expect(bar().getByText('1 redacted')).toBeTruthy();
    await press('s');
    await settle(1_500);
    expect(screen.queryByRole('region', { name: /Allow for this session/ })).toBeNull();
    const counter = within(screen.getByRole('group', { name: 'Not plainly shown' }));
    await fireEvent.click(counter.getByRole('button', { name: '1 redacted' }));
    await settle(1_500);
    expect(counter.getByRole('button', { name: '1 redacted, revealed' })).toBeTruthy();
    expect(document.querySelector('.diff .dl > code')?.textContent).toBe(`pass=${secret}`);
    expect(bar().getByRole('button', { name: /session/ })).toBeTruthy();
  });
});

describe('the arguments of a card that hides something', () => {
  const field = { name: 'command', kind: 'text', given: true, value: '', required: true, type: 'text', limits: [] };
  const form = (revealed: boolean): ChangeForm => {
    const text = JSON.stringify(`login ${revealed ? secret : `${marker.slice(0, -1)}:1]`}`);
    const fields = [{ ...field, value: text, description: '', choices: [] }];
    return {
      id: 'a1',
      hash: one.hash,
      text: `{"command":${text}}`,
      fields,
      hidden: 1,
      marker,
      locked: false,
      revealed,
    };
  };
  const one = run();
  const next = card({ id: 'a2', verb: 'Write the second', createdAt: before(30) }, { diffs: [diff()] });
  const written = () => screen.getByLabelText<HTMLTextAreaElement>('command');
  const asked = () => bridge.of('changeForm').map((query) => (query as ChangeQuery).reveal);
  const key = async (name: string) => {
    await fireEvent.keyDown(document.body, { key: name });
    await settle(1_500);
  };

  /** Opens the arguments with the secret in them. */
  async function open() {
    await show([one, next], { a1: shownOf(one, { command: `login ${secret} now` }) });
    bridge.forms = [form(false), form(true)];
    await key('r');
    await key('e');
    expect(written().value).toBe(`login ${secret}`);
  }

  const leaving: [string, () => Promise<void>][] = [
    [
      'another card was open',
      async () => {
        await key(']');
        await key('[');
      },
    ],
    [
      'another view was open',
      async () => {
        location.hash = '#/desk';
        await settle();
        location.hash = '#/approvals';
        await settle();
      },
    ],
  ];

  it.each(leaving)('are read anew, without it, once %s', async (_, leave) => {
    await open();
    await leave();
    await key('e');
    expect(written().value).toBe(`login ${marker.slice(0, -1)}:1]`);
    expect(asked()).toEqual([true, false]);
  });

  it.each(leaving)('stay as they were typed once %s', async (_, leave) => {
    await open();
    await fireEvent.input(written(), { target: { value: `logout ${secret}` } });
    await leave();
    await key('e');
    expect(written().value).toBe(`logout ${secret}`);
    expect(asked()).toEqual([true]);
  });

  it('stay open without it when it is hidden again', async () => {
    await open();
    await fireEvent.click(screen.getByRole('button', { name: /^Hide again/ }));
    await settle();
    expect(written().value).toBe(`login ${marker.slice(0, -1)}:1]`);
  });

  it('are forgotten with what was typed once the call is gone from the list', async () => {
    await open();
    await fireEvent.input(written(), { target: { value: `logout ${secret}` } });
    await key(']');
    const { approvals } = bridge.world.snapshot;
    bridge.world.snapshot.approvals = approvals.filter(({ id }) => id !== 'a1');
    bridge.hint('approval.resolved', 'a1');
    await settle(1_500);
    bridge.world.snapshot.approvals = approvals;
    bridge.hint('approval.requested', 'a1');
    await settle(1_500);
    await key('[');
    await key('e');
    expect(written().value).toBe(`login ${marker.slice(0, -1)}:1]`);
  });
});

describe('what is not plainly shown', () => {
  const looked = (over: Partial<Looked> = {}): Looked => ({
    seen: [],
    revealed: false,
    folded: 0,
    opened: false,
    ...over,
  });
  const plain = { hidden: [], command: 'ls', preview: 'command', diffs: [], arguments: [], about: [], paths: [] };

  it('is counted in four ways, each seen where it was come to', () => {
    const steps = [step('a', [], { left: 2 })];
    const one = card(
      {},
      {
        ...plain,
        hidden: [...hidden, { kind: 'token', count: 2, words: '' }],
        command: 'a\u200bb',
        url: 'x\u202e',
        listing: { state: 'read', why: '', steps, left: 3 },
      },
    );
    const counts = (over: Partial<Looked>) =>
      unplain(one, looked(over)).map(({ lack, count, seen }) => [lack, count, seen]);
    expect(counts({ folded: 2 })).toEqual([
      ['folded', 2, false],
      ['redacted', 3, false],
      ['invisible', 2, false],
      ['cut', 5, false],
    ]);
    expect(counts({ seen: ['the command'], revealed: true })).toEqual([
      ['redacted', 3, true],
      ['invisible', 2, false],
      ['cut', 5, false],
    ]);
    expect(counts({ seen: ['the command', 'the address'] }).at(-2)).toEqual(['invisible', 2, true]);
  });

  it('is counted in the paths that the card shows, and in no part that it does not', () => {
    const path = { path: '/tmp/a\u200bb', absolute: '/tmp/ab', access: 'read', zone: 'outside', linked: false };
    const one = card({}, { ...plain, paths: [path], diffs: [diff({ unified: '@@ -0,0 +1 @@\n+\u200b\n' })] });
    expect(unplain(one, looked())).toMatchObject([{ lack: 'invisible', count: 1, blocks: ['the paths'], seen: false }]);
    expect(unplain(one, looked({ seen: ['the paths'] }))).toMatchObject([{ seen: true }]);
  });

  it('is not seen in several files before each of them was in view to its end', async () => {
    const unified = '@@ -0,0 +1 @@\n+a\u200bb\n';
    const files = ['a', 'b', 'c'].map((path) => diff({ path, unified, additions: 1 }));
    let ends: Record<string, number> = {};
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
      const { part } = this.dataset;
      return new DOMRect(0, 0, 100, part ? (ends[part] ?? 900) : 600);
    });
    const counter = () => within(screen.getByRole('group', { name: 'Not plainly shown' }));
    const scroll = async (now: Record<string, number>) => {
      ends = now;
      await fireEvent.scroll(screen.getByRole('region', { name: 'What it will do' }));
      await settle();
    };
    await show([card({}, { hidden: [], diffs: files })]);
    await scroll({ 'the change 0': 300 });
    expect(counter().getByRole('button', { name: '3 invisible' })).toBeTruthy();
    await scroll({ 'the change 1': 400, 'the change 2': 700 });
    expect(counter().getByRole('button', { name: '3 invisible' })).toBeTruthy();
    await scroll({ 'the change 2': 500 });
    expect(counter().getByRole('button', { name: '3 invisible, seen' })).toBeTruthy();
  });

  it('is nothing on a plain card, and what is listed above counts as seen there', () => {
    expect(unplain(card({}, plain), looked())).toEqual([]);
    const long = card({}, { ...plain, listing: { state: 'read', why: '', steps: [step('a')], left: 9 } });
    const [cut] = unplain(long, looked({ seen: ['the command'] }));
    expect(cut).toMatchObject({ lack: 'cut', count: 9, seen: true });
    const undrawn = card({}, { ...plain, preview: 'diff', diffs: [diff({ additions: 4 })] });
    const whole = card({}, { ...plain, canonicalLeft: 9_000 });
    expect(unplain(whole, looked({ seen: ['the command'] }))).toMatchObject([{ lack: 'cut', count: 1, seen: false }]);
    const ends = card({}, { ...plain, canonical: `${'x'.repeat(2_000_000)}\n[the rest is not shown here]` });
    expect(unplain(ends, looked())).toEqual([]);
    expect(unplain(undrawn, looked({ seen: ['the command', 'the change'] }))).toMatchObject([
      { lack: 'cut', seen: false },
    ]);
  });
});
