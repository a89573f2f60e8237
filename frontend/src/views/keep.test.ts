import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import App from '../App.svelte';
import { guardMs } from '../lib/approval/guard.svelte';
import type { AnswerRequest, ApprovalCard } from '../lib/bridge/dto';
import { FakeBridge } from '../lib/bridge/fake';
import { layout } from '../lib/diff/layout.svelte';
import { before, card, desk, diff, session } from '../test/make';

const near = '@@ -1,3 +1,3 @@\n-one\n+ONE\n two\n-three\n+THREE\n';
const far = '@@ -40,1 +40,1 @@\n-forty\n+FORTY\n';
const file = (over = {}) =>
  diff({ path: 'a.txt', unified: near + far, additions: 3, deletions: 3, changes: 3, ...over });
const asked = (over: Partial<ApprovalCard> = {}, row = {}) =>
  card({ createdAt: before(90), verb: 'Replace 1 file', ...row }, { diffs: [file()], ...over });

let bridge: FakeBridge;

async function show(cards: ApprovalCard[]) {
  bridge = new FakeBridge({
    snapshot: { desk: desk(), sessions: [session()], approvals: cards.map((one) => one.row), trust: [] },
    cards,
    views: [{ session: session(), items: [], before: '', after: '', seq: '1' }],
    details: [],
    trusts: [],
    tools: [],
  });
  location.hash = '#/approvals';
  render(App, { props: { bridge } });
  await settle();
}

const settle = (ms = 1_100) => vi.advanceTimersByTimeAsync(ms);
async function press(key: string, target: Element = document.body) {
  const went = await fireEvent.keyDown(target, { key });
  await settle();
  return went;
}
const box = (n: number) => screen.getByRole('checkbox', { name: `Keep change ${n} of 3` });
const boxes = () =>
  screen
    .queryAllByRole('checkbox', { name: /^Keep change/ })
    .map((one) => one.ariaChecked ?? one.getAttribute('aria-checked'));
const bar = () => within(screen.getByRole('group', { name: 'Answer' }));
const allow = () => bar().getByRole('button', { name: /^Allow .*once/ });
const answers = () => bridge.of('answer') as AnswerRequest[];
const heading = () =>
  screen
    .getByRole('heading', { name: /^Replace/ })
    .textContent?.replace(/\s+/g, ' ')
    .trim();
const said = () =>
  screen
    .getAllByRole('status')
    .map((one) => one.textContent?.replace(/\s+/g, ' '))
    .join('; ');

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  layout.set('unified');
  Element.prototype.scrollIntoView = () => {};
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('a change that is left out', () => {
  it('is said on the card and sent with the answer, which is for this once', async () => {
    await show([asked()]);
    expect(boxes()).toEqual(['true', 'true', 'true']);
    expect(heading()).toBe('Replace 1 file');
    await fireEvent.click(box(2));
    expect(boxes()).toEqual(['true', 'false', 'true']);
    expect(heading()).toBe('Replace 1 file, 2 of 3 changes');
    expect(said()).toContain('2 of 3 kept');
    expect(allow().textContent?.replace(/\s+/g, ' ')).toContain('Allow 2 of 3 changes once');
    expect(bar().queryByRole('button', { name: /session/i })).toBeNull();
    expect(bar().getByText('Once only: some changes are left out.')).toBeTruthy();
    const left = [...document.querySelectorAll('.dl.left')].map((one) => one.textContent?.replace(/\s+/g, ''));
    expect(left).toEqual(['3−notremovedthree', '3+notaddedTHREE']);
    expect(screen.getAllByText('left out')).toHaveLength(1);
    await settle();
    await press('s');
    expect(said()).toContain('Once only');
    await press('a');
    expect(answers()).toMatchObject([{ resolution: 'allow_once', keep: [[0, 2]], chosen: [] }]);
  });

  it('makes another card of it, which takes no answer at once', async () => {
    await show([asked()]);
    const click = async () => {
      await fireEvent.pointerDown(allow());
      await fireEvent.click(allow(), { detail: 1 });
    };
    await fireEvent.click(box(2));
    await vi.advanceTimersByTimeAsync(guardMs - 50);
    await click();
    await settle();
    expect(answers()).toEqual([]);
    await click();
    expect(answers()).toMatchObject([{ keep: [[0, 2]] }]);
  });

  it('is gone to and left out by keys', async () => {
    await show([asked()]);
    const count = () => screen.getByText(/^Change \d of 3$/).textContent;
    expect(count()).toBe('Change 1 of 3');
    await press('n');
    await press('n');
    expect(count()).toBe('Change 3 of 3');
    expect(box(3).getAttribute('aria-keyshortcuts')).toBe('h');
    await press('h');
    expect(boxes()).toEqual(['true', 'true', 'false']);
    await press('p');
    await press('h');
    expect(boxes()).toEqual(['true', 'false', 'false']);
    await press('h');
    await press('a');
    expect(answers()).toMatchObject([{ keep: [[0, 1]] }]);
  });

  it('is drawn so side by side as well', async () => {
    layout.set('split');
    await show([asked()]);
    await fireEvent.click(box(1));
    const left = [...document.querySelectorAll('.dl.left')].map((one) => one.textContent?.replace(/\s+/g, ''));
    expect(left).toEqual(['1−notremovedone', '1+notaddedONE']);
  });

  it('leaves nothing to allow when it is the last one', async () => {
    await show([asked()]);
    for (const n of [1, 2, 3]) await fireEvent.click(box(n));
    await settle();
    expect((bar().getByRole('button', { name: /^Allow once/ }) as HTMLButtonElement).disabled).toBe(true);
    expect(bar().getByText('Every change is left out. Deny it instead, or keep one.')).toBeTruthy();
    await press('a');
    expect(answers()).toEqual([]);
    await press('x');
    expect(answers()).toMatchObject([{ resolution: 'deny', keep: [] }]);
  });

  it('closes the picker of what else would be allowed, and comes back to nothing', async () => {
    const choices = [{ kind: 'file', value: 'a.txt', words: 'Changes a.txt', key: 'write a.txt' }];
    const offers = [{ text: 'a.txt', odd: [], choices, why: '', covered: false, lives: ['session', 'workspace'] }];
    await show([asked({ offers: offers as unknown as ApprovalCard['offers'] })]);
    await press('s');
    expect(screen.getByRole('checkbox', { name: /^Remember/ })).toBeTruthy();
    await fireEvent.click(box(1));
    await settle();
    expect(screen.queryByRole('checkbox', { name: /^Remember/ })).toBeNull();
    expect(said()).toContain('Once only: some changes are left out.');
    await fireEvent.click(box(1));
    await settle();
    await press('s');
    expect(screen.getByRole('checkbox', { name: /^Remember/ })).toBeTruthy();
  });

  it('is kept again when the card becomes another one', async () => {
    const one = asked();
    await show([one]);
    await fireEvent.click(box(1));
    bridge.world.cards = [asked({ diffs: [file({ unified: near + far.replace('FORTY', 'XL') })] })];
    bridge.hint('approval.changed', 'a1');
    await settle();
    expect(boxes()).toEqual(['true', 'true', 'true']);
    expect(heading()).toBe('Replace 1 file');
  });

  it('needs the deliberate hand that the card needs', async () => {
    await show([asked({ hold: true }, { risk: 'high' })]);
    await fireEvent.click(box(1));
    await settle();
    expect(bar().getByRole('button', { name: /Hold to allow 2 of 3 changes once/ })).toBeTruthy();
  });
});

describe('a card without a choice', () => {
  it.each([
    ['one change alone', [file({ unified: far, changes: 1 })]],
    ['changes that are not all shown', [file({ changes: 0 })]],
    ['another count than what is drawn', [file({ changes: 2 })]],
  ])('shows no box: %s', async (_, diffs) => {
    await show([asked({ diffs })]);
    expect(boxes()).toEqual([]);
    await press('h');
    await press('a');
    expect(answers()).toMatchObject([{ keep: [] }]);
  });

  it('shows none once it has ended', async () => {
    await show([asked()]);
    bridge.world.cards = [asked({ ended: 'Allowed once by you.' }, { status: 'approved' })];
    bridge.hint('approval.resolved', 'a1');
    await settle();
    expect(boxes()).toEqual([]);
  });
});
