import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import App from '../App.svelte';
import { maxWords } from '../lib/approval/card';
import { blocksIn } from '../lib/approval/evidence';
import { aloneMs, guardMs, typedMs } from '../lib/approval/guard.svelte';
import { maxBatch } from '../lib/approval/picking';
import { BridgeError, lostCode } from '../lib/bridge/bridge';
import type { ApprovalCard, BatchRequest } from '../lib/bridge/dto';
import { FakeBridge } from '../lib/bridge/fake';
import { before, card, desk, diff, session, step } from '../test/make';

const unified = '@@ -1 +1 @@\n-old text\n+new text\n';
const write = (id: string, over: Partial<ApprovalCard> = {}, row = {}) =>
  card(
    { id, subject: `${id}.go`, createdAt: before(90), ...row },
    {
      diffs: [diff({ path: `${id}.go`, absolute: `/w/${id}.go`, unified, additions: 1, deletions: 1 })],
      hash: `hash-${id}`,
      shown: `card-${id}`,
      ...over,
    },
  );
const run = (id: string, over: Partial<ApprovalCard> = {}) =>
  card(
    { id, toolId: 'bash', verb: 'Run a command', short: 'Run', subject: 'ls', sessionId: 's2', createdAt: before(60) },
    {
      preview: 'command',
      command: 'ls',
      paths: [],
      listing: { state: 'read', why: '', steps: [step('ls')], left: 0 },
      hash: `hash-${id}`,
      shown: `card-${id}`,
      ...over,
    },
  );
const three = () => [write('a1'), run('a2'), write('a3')];

let bridge: FakeBridge;
/** Where the ends of the parts stand, in pixels; the fold is at 600. */
let end = 300;
/** Where those of some blocks stand otherwise, by their ids. */
let ends: Record<string, number> = {};

async function show(cards: ApprovalCard[]) {
  bridge = new FakeBridge({
    snapshot: {
      desk: desk(),
      sessions: [session(), session({ id: 's2' })],
      approvals: cards.map((one) => one.row),
      trust: [],
    },
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

const settle = (ms = 1_000) => vi.advanceTimersByTimeAsync(ms);
const press = async (key: string, init: KeyboardEventInit = {}, target: Element = document.body) => {
  await fireEvent.keyDown(target, { key, ...init });
  await settle(typedMs + 100);
};
const list = () => screen.getByRole('listbox');
const rows = () => screen.getAllByRole('option');
const picked = () => rows().filter((row) => row.getAttribute('aria-checked') === 'true').length;
const box = (at: number) => rows()[at]?.querySelector('.box') as Element;
const review = () => screen.getByRole('article', { name: 'Review of the batch' });
const bar = () => within(screen.getByRole('group', { name: 'Answer to all of them' }));
const given = () => bridge.of('answerBatch') as BatchRequest[];
const alarm = () => screen.getByRole('alert').textContent?.replace(/\s+/g, ' ');
const scroll = async () => {
  await fireEvent.scroll(screen.getByRole('region', { name: 'What they will do' }));
  await settle();
};

/** Selects all of the list and opens the review, in which everything was in view if `end` lies above the fold. */
async function reviewAll(cards = three()) {
  await show(cards);
  for (const at of cards.keys()) await fireEvent.click(box(at));
  await press('b');
  await settle();
  // Nothing is laid out here, so no observer tells of it.
  await scroll();
}

beforeEach(() => {
  vi.useFakeTimers();
  end = 300;
  ends = {};
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    const { part } = this.dataset;
    const bottom = part ? (ends[part] ?? end) : 600;
    return new DOMRect(0, bottom - 100, 100, 100);
  });
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('calls are selected', () => {
  it('by their boxes, with Shift up to there, all of a kind, and none', async () => {
    await show([...three(), run('a4'), write('a5')]);
    await fireEvent.click(box(0));
    expect(picked()).toBe(1);
    await fireEvent.click(box(2), { shiftKey: true });
    expect(picked()).toBe(3);
    expect(screen.getByText('3 selected')).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: 'All 3 of this kind' }));
    expect(picked()).toBe(4);
    await fireEvent.click(screen.getByRole('button', { name: 'Clear' }));
    expect(picked()).toBe(0);
    expect(screen.queryByRole('group', { name: 'Selected calls' })).toBeNull();
  });

  it('by the keyboard, in the list only', async () => {
    await show(three());
    await press(' ');
    expect(picked()).toBe(0);
    list().focus();
    await press(' ', {}, list());
    await press('ArrowDown', { shiftKey: true }, list());
    expect(picked()).toBe(2);
    await press('a', { ctrlKey: true }, list());
    await press(' ', {}, list());
    expect(picked()).toBe(1);
  });

  it('never where a call is to be answered alone, and says why', async () => {
    await show([write('a1', {}, { alone: 'It is restricted, so it is answered on its own card.' }), write('a2')]);
    expect(rows()[0]?.getAttribute('aria-checked')).toBeNull();
    list().focus();
    await press(' ', {}, list());
    expect(screen.getByText('It is restricted, so it is answered on its own card.')).toBeTruthy();
    await press('a', { ctrlKey: true }, list());
    expect(rows().map((row) => row.getAttribute('aria-checked'))).toEqual([null, 'true']);
  });

  it('and a call that comes new never joins them', async () => {
    await show(three());
    for (const at of [0, 1, 2]) await fireEvent.click(box(at));
    const late = write('a9');
    bridge.world.cards.push(late);
    bridge.world.snapshot.approvals.push(late.row);
    bridge.hint('approval.requested', 'a9');
    await settle();
    expect(rows()).toHaveLength(4);
    expect(picked()).toBe(3);
    await press('b');
    expect(within(review()).getByText('3 calls together')).toBeTruthy();
  });

  it('and all of them are dropped, and that is said, when one of them ends', async () => {
    await show(three());
    for (const at of [0, 1, 2]) await fireEvent.click(box(at));
    bridge.close('a2', 'denied', 'deny');
    bridge.hint('approval.resolved', 'a2');
    await settle();
    expect(picked()).toBe(0);
    const said = alarm();
    expect(said).toContain('The selection was dropped');
    expect(said).toContain('Run ls: Denied by you.');
    await fireEvent.click(screen.getByRole('button', { name: 'Review the other 2' }));
    await settle();
    expect(within(review()).getByText('2 calls together')).toBeTruthy();
  });

  it('up to a number that a person can read, and says so of one more', async () => {
    await show(Array.from({ length: maxBatch + 1 }, (_, i) => run(`a${i}`)));
    await fireEvent.click(box(0));
    await fireEvent.click(box(maxBatch - 1), { shiftKey: true });
    expect(picked()).toBe(maxBatch);
    await fireEvent.click(box(maxBatch));
    expect(picked()).toBe(maxBatch);
    expect(screen.getByText(`${maxBatch} are selected: more are not answered together.`)).toBeTruthy();
  });

  it('or nothing is reviewed, and that is said', async () => {
    await show(three());
    await press('b');
    expect(screen.queryByRole('article', { name: 'Review of the batch' })).toBeNull();
    expect(screen.getByText(/^Nothing is selected/)).toBeTruthy();
  });
});

describe('the review of a batch', () => {
  it('shows every call in full, and what they would do together', async () => {
    await reviewAll();
    expect(within(review()).getByRole('heading', { level: 1 }).textContent).toBe(
      'Run 1 command and change 2 files in 2 sessions',
    );
    const calls = within(review()).getAllByRole('region', { name: /\d of 3/ });
    expect(calls).toHaveLength(3);
    expect(within(calls[1] as HTMLElement).getByRole('group', { name: 'Full command' }).textContent).toContain('ls');
    expect(within(calls[2] as HTMLElement).getByRole('region', { name: 'Change of a3.go' }).textContent).toContain(
      'new text',
    );
    await fireEvent.click(within(calls[0] as HTMLElement).getByRole('button', { name: /Exact/ }));
    expect(within(calls[0] as HTMLElement).getByRole('group', { name: 'Exact arguments' })).toBeTruthy();
  });

  it('is answered once for all, bound to the hashes that were shown', async () => {
    await reviewAll();
    await press('a');
    await settle();
    expect(given()).toEqual([
      {
        cards: ['a1', 'a2', 'a3'].map((id) => ({ id, hash: `hash-${id}`, shown: `card-${id}`, seen: true })),
        resolution: 'allow_once',
        words: '',
      },
    ]);
    expect(screen.getByText('3 calls allowed once.')).toBeTruthy();
    expect(screen.queryByRole('article', { name: 'Review of the batch' })).toBeNull();
    expect(bridge.of('answer')).toEqual([]);
  });

  it('allows nothing before the end of each call was in view, and denies at any time', async () => {
    end = 900;
    await reviewAll();
    expect(bar().getByText('Not seen to their ends: 3 calls.')).toBeTruthy();
    expect(bar().getByRole('button', { name: /^Allow all 3 once/ })).toHaveProperty('disabled', true);
    await press('a');
    await press('Enter', { ctrlKey: true });
    expect(given()).toEqual([]);
    expect(screen.getByText(/^3 calls were not in view to the end/)).toBeTruthy();
    end = 500;
    await scroll();
    expect(bar().getByRole('button', { name: /^Allow all 3 once/ })).toHaveProperty('disabled', false);
    end = 900;
    await press('Escape');
    await press('b');
    await scroll();
    expect(bar().getByRole('button', { name: /^Allow all 3 once/ })).toHaveProperty('disabled', true);
    await press('x');
    expect(given().map((one) => [one.resolution, one.cards.some(({ seen }) => seen)])).toEqual([['deny', false]]);
  });

  it('draws every block that it counts, and waits for the last one of a call that was changed', async () => {
    const changed = { by: 'you', words: '', hashShort: '', fields: [] };
    const about = [{ label: 'Runs in', text: '/somewhere' }];
    const all = [
      run('a1', { changed, about, input: 'y' }),
      write('a2', { diffs: [diff(), diff({ path: 'b' })], changed }),
    ];
    ends = { 'how it runs': 900 };
    await reviewAll(all);
    for (const one of all) {
      const drawn = [...review().querySelectorAll<HTMLElement>(`[data-call="${one.row.id}"] [data-part]`)];
      expect(drawn.map(({ dataset }) => dataset.part)).toEqual(blocksIn(one).map(({ id }) => id));
    }
    expect(bar().getByText('Not seen to its end: 1 call.')).toBeTruthy();
    ends = {};
    await scroll();
    expect(bar().getByRole('button', { name: /^Allow all 2 once/ })).toHaveProperty('disabled', false);
  });

  it('is held, or confirmed with Ctrl+Enter, where a call is risky', async () => {
    await reviewAll([write('a1'), run('a2', { hold: true })]);
    await press('a');
    expect(given()).toEqual([]);
    expect(screen.getByText(/hold the button for 0.7 s/)).toBeTruthy();
    await press('Enter', { ctrlKey: true });
    expect(given()).toHaveLength(1);
  });

  it('denies all with words that every agent reads', async () => {
    await reviewAll();
    await press('f');
    const field = screen.getByRole('textbox', { name: /What the agent is told/ });
    expect(document.activeElement).toBe(field);
    await press('Enter', { ctrlKey: true }, field);
    expect(given()).toEqual([]);
    await fireEvent.input(field, { target: { value: 'not today' } });
    await press('Enter', { ctrlKey: true }, field);
    expect(given().map(({ resolution, words }) => [resolution, words])).toEqual([['deny', 'not today']]);
  });

  it('denies nothing with more words than are kept', async () => {
    await reviewAll();
    await press('f');
    const field = screen.getByRole('textbox', { name: /What the agent is told/ });
    await fireEvent.input(field, { target: { value: 'a'.repeat(maxWords + 1) } });
    await press('Enter', { ctrlKey: true }, field);
    expect(bar().getByRole('button', { name: /with these words/ })).toHaveProperty('disabled', true);
    expect(given()).toEqual([]);
  });

  it('takes no answer in its first moment, not by key and not by click', async () => {
    await show(three());
    for (const at of [0, 1, 2]) await fireEvent.click(box(at));
    await fireEvent.keyDown(document.body, { key: 'b' });
    await settle(guardMs - 100);
    await fireEvent.scroll(screen.getByRole('region', { name: 'What they will do' }));
    await fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true });
    const deny = bar().getByRole('button', { name: /^Deny all 3/ });
    await fireEvent.pointerDown(deny);
    await fireEvent.click(deny, { detail: 1 });
    await settle();
    expect(given()).toEqual([]);
  });

  it.each<[string, (cards: ApprovalCard[]) => void]>([
    ['shows something else', (cards) => (cards[1] = run('a2', { hash: 'another', command: 'rm -rf x' }))],
    ['is asked again', (cards) => (cards[1] = run('a2', { moved: 'the file changed.' }))],
    ['is out of date', (cards) => (cards[1] = run('a2', { drift: 'A file of this card has changed.' }))],
  ])('is dropped whole when a call %s, and says so', async (_, change) => {
    await reviewAll();
    change(bridge.world.cards);
    bridge.hint('approval.changed', 'a2');
    await settle();
    expect(screen.getByRole('heading', { name: 'The batch was dropped' })).toBeTruthy();
    expect(alarm()).toContain('all of it was dropped');
    expect(picked()).toBe(0);
    await press('a');
    await press('x');
    await press('Enter', { ctrlKey: true });
    expect(given()).toEqual([]);
    await fireEvent.click(bar().getByRole('button', { name: 'Review the other 2' }));
    await settle();
    expect(within(review()).getByText('2 calls together')).toBeTruthy();
    expect(bar().getByText('Not seen to their ends: 2 calls.')).toBeTruthy();
  });

  it('is dropped when a preset answers one of its calls meanwhile, and says so', async () => {
    await reviewAll();
    bridge.world.cards[1] = { ...run('a2', { ended: 'Allowed by the preset Edit.' }) };
    const now = bridge.world.cards[1] as ApprovalCard;
    now.row = { ...now.row, status: 'approved' };
    bridge.world.snapshot.approvals = bridge.world.snapshot.approvals.filter((row) => row.id !== 'a2');
    bridge.hint('approval.resolved', 'a2');
    await settle();
    expect(screen.getByRole('heading', { name: 'The batch was dropped' })).toBeTruthy();
    expect(alarm()).toContain('Allowed by the preset Edit.');
    for (const key of ['a', 'x', 't', 'b', 'r', 'e', ' ']) await press(key);
    expect(given()).toEqual([]);
    expect(bridge.of('answer')).toEqual([]);
  });

  it.each(['abate', 'extra', 'far x', 'b a'])('is never answered by typing "%s"', async (text) => {
    await reviewAll();
    for (const key of text) {
      await fireEvent.keyDown(document.activeElement ?? document.body, { key });
      await settle(aloneMs - 20);
    }
    await settle(typedMs + 100);
    expect(given()).toEqual([]);
    expect(bridge.of('answer')).toEqual([]);
  });

  it('is dropped when a file that it shows changes without a hint', async () => {
    await reviewAll();
    bridge.world.cards[0] = write('a1', { drift: 'A file of this card has changed.' });
    await settle(3_100);
    expect(screen.getByRole('heading', { name: 'The batch was dropped' })).toBeTruthy();
  });

  it('says which call kept all of them from being answered', async () => {
    await reviewAll();
    bridge.batches.push({
      answered: false,
      words: 'None of the 3 calls was answered.',
      stops: [{ id: 'a3', words: 'It has changed since it was shown.' }],
    });
    await press('a');
    await settle();
    const said = alarm();
    expect(said).toContain('None of the 3 calls was answered.');
    expect(said).toContain('Write a3.go: It has changed since it was shown.');
    expect(picked()).toBe(0);
  });

  it('keeps what hides something out, and says so', async () => {
    await show([write('a1'), write('a2')]);
    for (const at of [0, 1]) await fireEvent.click(box(at));
    const hiding = bridge.world.cards[1] as ApprovalCard;
    hiding.row = { ...hiding.row, alone: 'A part of it is hidden, so it is answered on its own card.' };
    await press('b');
    await settle();
    expect(alarm()).toContain('A part of it is hidden');
  });

  it('says when the desk is away, and that an answer may be lost', async () => {
    await reviewAll();
    bridge.setLink('down');
    await settle();
    expect(bar().getByRole('button', { name: /^Deny all 3/ })).toHaveProperty('disabled', true);
    bridge.setLink('up');
    await settle(2_000);
    bridge.batches.push(new BridgeError(lostCode, 'The desk went away before it answered.'));
    await press('x');
    await settle();
    expect(alarm()).toContain('The desk went away');
  });

  it('leaves the selection as it was when it is left, and the open card takes no answer at once', async () => {
    await reviewAll();
    await fireEvent.keyDown(document.body, { key: 'Escape' });
    await settle(50);
    expect(screen.getByRole('group', { name: 'Answer' }).dataset.guard).toBe('closed');
    expect(picked()).toBe(3);
  });
});
