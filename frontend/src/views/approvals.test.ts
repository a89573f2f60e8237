import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import App from '../App.svelte';
import { aloneMs, guardMs, typedMs } from '../lib/approval/guard.svelte';
import { BridgeError, lostCode } from '../lib/bridge/bridge';
import type { AnswerRequest, ApprovalCard, TrustQuestion } from '../lib/bridge/dto';
import { FakeBridge } from '../lib/bridge/fake';
import { before, callRow, card, desk, detail, diff, session } from '../test/make';

const unified = '@@ -1 +1 @@\n-old text\n+new text\n';
const write = (over: Partial<ApprovalCard> = {}, row = {}) =>
  card({ createdAt: before(90), ...row }, { diffs: [diff({ unified, additions: 1, deletions: 1 })], ...over });
const risky = (over: Partial<ApprovalCard> = {}, id = 'a1') => write({ hold: true, ...over }, { risk: 'high', id });
const second = () => write({}, { id: 'a2', verb: 'Write the second', createdAt: before(30) });

const question: TrustQuestion = {
  root: '/home/you/src/acme',
  workspace: '/home/you/src/acme',
  askedBy: 'Codex',
  askerKind: 'mcp',
  sessionId: 's1',
  createdAt: before(200),
  opens: ['Writes inside this folder, each after you allowed it.'],
  shut: ['Every change in this folder is denied until you say Yes.'],
  postpone: false,
  waiting: 1,
};

let bridge: FakeBridge;

async function show(cards: ApprovalCard[], trust: TrustQuestion[] = []) {
  bridge = new FakeBridge({
    snapshot: { desk: desk(), sessions: [session()], approvals: cards.map((one) => one.row), trust },
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

const settle = (ms = 500) => vi.advanceTimersByTimeAsync(ms);
const press = (key: string, init: KeyboardEventInit = {}, target: Element = document.body) =>
  fireEvent.keyDown(target, { key, ...init });
const bar = () => within(screen.getByRole('group', { name: 'Answer' }));
const said = () =>
  screen
    .getAllByRole('status')
    .map((one) => one.textContent?.replace(/\s+/g, ' '))
    .join('; ');
const answers = () => bridge.of('answer') as AnswerRequest[];

async function click(element: Element) {
  await fireEvent.pointerDown(element);
  await fireEvent.click(element, { detail: 1 });
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('an answer', () => {
  it.each([
    ['a', 'allow_once'],
    ['x', 'deny'],
  ])('is given by the key %s, bound to the hash that was shown', async (key, resolution) => {
    await show([write()]);
    await press(key);
    await settle();
    expect(answers()).toEqual([
      {
        id: 'a1',
        resolution,
        chosen: [],
        days: 0,
        words: '',
        keep: [],
        hash: write().hash,
        shown: write().shown,
        stop: false,
      },
    ]);
    expect(screen.getByText('Nothing is waiting. Calls that need you appear here.')).toBeTruthy();
  });

  it('says what a card hides, and that the call has it', async () => {
    await show([
      write({
        hidden: [
          { kind: 'password', count: 2, words: '2 passwords' },
          { kind: 'token', count: 1, words: '1 token' },
        ],
      }),
    ]);
    expect(
      screen.getByText('3 pieces are hidden, since they look like a secret: 2 passwords and 1 token.'),
    ).toBeTruthy();
    cleanup();
    await show([write()]);
    expect(screen.queryByText(/hidden, since/)).toBeNull();
  });

  it('is given by a click on the button', async () => {
    await show([write()]);
    await click(bar().getByRole('button', { name: /Allow once/ }));
    await settle();
    expect(answers()).toHaveLength(1);
  });

  it('is never given by a new card: not by key, not by click', async () => {
    await show([write(), second()]);
    await press('a');
    await settle(aloneMs + 50);
    expect(screen.getByRole('heading', { name: 'Write the second' })).toBeTruthy();
    await press('a');
    await press('x');
    await click(bar().getByRole('button', { name: /Allow once/ }));
    await settle(100);
    expect(answers()).toHaveLength(1);
    await settle(typedMs);
    await press('a');
    await settle(aloneMs);
    expect(answers()).toHaveLength(2);
  });

  it('is never given by clicks that go on from the card before', async () => {
    await show([write(), second()]);
    const allow = () => bar().getByRole('button', { name: /Allow once/ });
    for (let times = 0; times < 20; times++) {
      await click(allow());
      await settle(guardMs - 50);
    }
    expect(answers()).toHaveLength(1);
    await settle(guardMs);
    await click(allow());
    await settle(50);
    expect(answers()).toHaveLength(2);
  });

  it.each(['banana', 'always use src', 'a x', 'xa', 'mama', 'allow'])('is never given by typing "%s"', async (text) => {
    await show([write(), second()]);
    for (const gap of [10, 80, 300, aloneMs - 20]) {
      for (const key of text) {
        await press(key);
        await settle(gap);
      }
      await settle(typedMs);
      expect(answers()).toHaveLength(0);
      await press('Escape');
    }
  });

  it.each(['retry', 'at best', 'teatree', 'be a tar', 'the text', 'h a', 'rxt'])(
    'is never given by typing "%s", whose letters do other things on a card',
    async (text) => {
      const hiding = { hidden: [{ kind: 'credential', count: 1, words: '1 secret' }], marker: '[redacted:7f3a]' };
      await show([write(hiding), second()]);
      for (const key of text) {
        // What is typed goes where the focus is, as from a keyboard.
        await press(key, {}, document.activeElement ?? document.body);
        await settle(aloneMs - 20);
      }
      await settle(typedMs);
      expect(answers()).toHaveLength(0);
    },
  );

  it('is never given by pasting, wherever that is done', async () => {
    await show([write(), second()]);
    for (const target of [document.body, bar().getByRole('button', { name: /Allow once/ })]) {
      const data = Object.assign(new Event('paste', { bubbles: true }), {
        clipboardData: { getData: () => 'a\nx\nt' },
      });
      await fireEvent(target, data);
      await press('v', { ctrlKey: true }, target);
      await settle(1_000);
    }
    expect(answers()).toHaveLength(0);
    // The same card takes the key that was pasted when it is pressed.
    await press('a');
    await settle(1_000);
    expect(answers()).toMatchObject([{ resolution: 'allow_once' }]);
  });

  it.each(['data and text', 'is a xenon', 'no, a dog', 'sax', 'was there'])(
    'is never given by typing "%s" slowly',
    async (text) => {
      await show([write(), second()]);
      for (const key of text) {
        await press(key);
        await settle(typedMs - 20);
        if (document.activeElement?.tagName === 'TEXTAREA') break;
      }
      expect(answers()).toHaveLength(0);
    },
  );

  it('is given within a second of the window coming to the front, and of the last letter', async () => {
    await show([write(), second()]);
    for (const first of [() => fireEvent.focus(window), () => press('n')]) {
      const before = answers().length;
      await first();
      await settle(typedMs);
      await press('a');
      await settle(1_000 - typedMs);
      expect(answers()).toHaveLength(before + 1);
      await settle();
    }
  });

  it.each(['Enter', ' '])('is not repeated by the key %j that is held on its button', async (key) => {
    await show([write(), second()]);
    // As a browser does: a key that is not refused clicks.
    const holds = async (repeat: boolean) => {
      const allow = bar().getByRole('button', { name: /Allow once/ });
      if (await press(key, { repeat }, allow)) await fireEvent.click(allow, { detail: 0 });
    };
    await holds(false);
    await settle(guardMs + 200);
    expect(answers()).toHaveLength(1);
    for (let times = 0; times < 20; times++) await holds(true);
    await settle();
    expect(answers()).toHaveLength(1);
  });

  it('says that keys which came together were not taken', async () => {
    await show([write()]);
    await press('a');
    await press('l');
    await settle();
    expect(answers()).toHaveLength(0);
    expect(said()).toContain('Several keys came at once');
  });

  it('is never given with a key of the system held', async () => {
    await show([write()]);
    for (const system of ['Meta', 'Super', 'OS']) {
      await press(system);
      await press('a');
      await settle();
      await fireEvent.keyUp(document.body, { key: system });
      await settle();
    }
    expect(answers()).toHaveLength(0);
    await press('a');
    await settle();
    expect(answers()).toHaveLength(1);
  });

  it('is never given by the click that brings the window to the front', async () => {
    await show([write()]);
    const allow = bar().getByRole('button', { name: /Allow once/ });
    await fireEvent.pointerDown(allow);
    await fireEvent.focus(window);
    await fireEvent.click(allow, { detail: 1 });
    await fireEvent.focus(window);
    await click(allow);
    await settle(typedMs);
    expect(answers()).toHaveLength(0);
    await click(allow);
    await settle();
    expect(answers()).toHaveLength(1);
  });

  it('can be put into words at once, on a card that is new, and the words answer nothing', async () => {
    await show([write(), second()]);
    await press('x');
    await settle(aloneMs + 20);
    expect(answers()).toHaveLength(1);
    await press('f');
    await settle(1);
    const field = screen.getByRole('textbox', { name: /What the agent is told/ });
    expect(document.activeElement).toBe(field);
    for (const key of 'wait, always') await press(key, {}, field);
    await settle();
    expect(answers()).toHaveLength(1);
  });

  it('is not given by a click that was begun on the card before', async () => {
    await show([write(), second()]);
    await fireEvent.pointerDown(bar().getByRole('button', { name: /Allow once/ }));
    await press('x');
    await settle();
    await fireEvent.click(bar().getByRole('button', { name: /Allow once/ }), { detail: 1 });
    expect(answers().map((one) => one.resolution)).toEqual(['deny']);
  });

  it('is not repeated by a held key', async () => {
    await show([write(), second()]);
    await press('a', { repeat: true });
    await settle();
    expect(answers()).toHaveLength(0);
  });

  it('begins anew when what would run has changed', async () => {
    await show([write()]);
    bridge.world.cards = [write({ hash: 'f'.repeat(64), moved: 'the file changed.' })];
    bridge.hint('approval.requested', 'a1');
    await settle(50);
    await press('a');
    await settle(aloneMs);
    expect(answers()).toHaveLength(0);
    expect(screen.getByText('Asked again:', { exact: false }).textContent).toContain('the file changed.');
    await settle(guardMs);
    await press('a');
    await settle(aloneMs);
    expect(answers()[0]?.hash).toBe('f'.repeat(64));
  });

  it('cannot be given while the desk is away', async () => {
    await show([write()]);
    bridge.setLink('down');
    await settle(10);
    await press('a');
    await settle(aloneMs);
    expect(answers()).toHaveLength(0);
    expect(screen.getByRole('alert').textContent).toContain('The desk is not running. What was stored is kept');
    expect((bar().getByRole('button', { name: /Allow once/ }) as HTMLButtonElement).disabled).toBe(true);
    expect(screen.getByText('No answer can be given until the desk is back.')).toBeTruthy();
  });

  it('that somebody else gave first is said plainly', async () => {
    await show([write()]);
    bridge.close('a1', 'denied', 'deny');
    const taken = write({ ended: 'Denied by you.', resolution: 'deny' }, { status: 'denied' });
    bridge.results.push({ outcome: 'conflict', words: 'Somebody answered before, and differently.', card: taken });
    await press('a');
    await settle();
    expect(screen.getByRole('alert').textContent).toContain('Somebody answered before');
    expect(screen.getByText('Denied by you.')).toBeTruthy();
    expect(bar().queryByRole('button', { name: /Allow/ })).toBeNull();
  });

  it('is said with the call it was for, and goes with the next card that is opened', async () => {
    await show([write(), second()]);
    await press('a');
    await settle(aloneMs + 50);
    expect(said()).toContain('Write internal/dispatch/retry_backoff_policy.go: allowed once.');
    await press(']');
    await press('[');
    await settle(50);
    expect(said()).toContain('allowed once.');
    bridge.world.snapshot.approvals.push(write({}, { id: 'a3', verb: 'Write the third' }).row);
    bridge.world.cards.push(write({}, { id: 'a3', verb: 'Write the third' }));
    bridge.hint('approval.requested', 'a3');
    await settle();
    await press(']');
    await settle(50);
    expect(said()).not.toContain('allowed once.');
  });

  it('is corrected when the call that it allowed fails', async () => {
    await show([write()]);
    const call = callRow({ id: 'i1', state: 'running', approvalId: 'a1' });
    bridge.world.details = [detail(call)];
    await press('a');
    await settle();
    expect(said()).toContain('allowed once.');
    bridge.world.details = [detail({ ...call, state: 'failed' }, { message: 'The file changed.' })];
    bridge.hint('tool.call.failed', 'i1');
    await settle(50);
    expect(said()).toContain('allowed, but it failed. The file changed.');
  });

  it('is not given by a capital', async () => {
    await show([write()]);
    await press('A', { shiftKey: true });
    await press('A');
    await press('X', { shiftKey: true });
    expect(answers()).toHaveLength(0);
  });

  it('that was confirmed in vain is said, never dropped', async () => {
    await show([write()]);
    await press('Enter', { ctrlKey: true });
    await settle(10);
    expect(screen.getByText(/Nothing was confirmed. Press A/)).toBeTruthy();
    bridge.world.cards = [write({ hash: 'f'.repeat(64) })];
    bridge.hint('approval.requested', 'a1');
    await settle(50);
    await press('s');
    await press('Enter', { ctrlKey: true });
    await settle(10);
    expect(screen.getByText(/that key was not taken/)).toBeTruthy();
    expect(answers()).toHaveLength(0);
  });

  it('that may be lost is said, and the card stays', async () => {
    await show([write()]);
    bridge.results.push(new BridgeError(lostCode, 'The desk went away before it answered.'));
    await press('a');
    await settle();
    expect(screen.getByRole('alert').textContent).toContain('The desk went away before it answered.');
    expect(screen.getByRole('heading', { name: 'Write 1 file' })).toBeTruthy();
  });
});

describe('a card that is still being read', () => {
  const slow = async (ms: number) => {
    await show([write(), second()]);
    const read = bridge.approval.bind(bridge);
    vi.spyOn(bridge, 'approval').mockImplementation(async (id) => {
      await new Promise((done) => setTimeout(done, ms));
      return read(id);
    });
  };
  const held = () => screen.getByText('Allow once').closest<HTMLElement>('.open')!.inert;

  it.each(['key', 'click'])('takes the place of the one before at once, by %s', async (by) => {
    await slow(1_000);
    expect(held()).toBe(false);
    if (by === 'key') await press(']');
    else await fireEvent.click(screen.getByRole('option', { name: /Write the second/ }));
    await settle(350);
    expect(held()).toBe(true);
    expect(screen.getByRole('region', { name: 'Card' }).textContent).toContain('Reading the card');
    for (const key of ['s', 'f', 'x', 'a']) await press(key);
    await settle(1_000);
    expect(screen.getByRole('heading', { name: 'Write the second' })).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'Card' })).toBeNull();
    expect(held()).toBe(false);
    expect(answers()).toHaveLength(0);
  });

  it('says so when it cannot be read, with nothing to answer beside it', async () => {
    await slow(0);
    vi.spyOn(bridge, 'approval').mockRejectedValue(new BridgeError('store', 'The store cannot be read.'));
    await press(']');
    await settle();
    const pane = within(screen.getByRole('region', { name: 'Card' }));
    expect(pane.getByRole('alert').textContent).toContain('The store cannot be read.');
    expect(held()).toBe(true);
  });
});

describe('a risky call', () => {
  it('is not allowed by one press, but by Ctrl+Enter', async () => {
    await show([risky()]);
    await press('a');
    await settle(aloneMs);
    expect(answers()).toHaveLength(0);
    expect(screen.getByText(/hold the button for 0.7 s/)).toBeTruthy();
    await press('Enter', { ctrlKey: true });
    expect(answers().map((one) => one.resolution)).toEqual(['allow_once']);
  });

  it('is allowed by a held button, and not by a short one', async () => {
    await show([risky()]);
    const button = bar().getByRole('button', { name: /Hold to allow once/ });
    await fireEvent.pointerDown(button, { button: 0 });
    await settle(400);
    await fireEvent.pointerUp(button);
    await settle(1_000);
    expect(answers()).toHaveLength(0);
    await fireEvent.pointerDown(button, { button: 0 });
    await settle(800);
    expect(answers().map((one) => one.resolution)).toEqual(['allow_once']);
  });

  it('says that a click alone is not enough, and nothing of it once a hold has counted', async () => {
    await show([risky(), risky({}, 'a2')]);
    const button = () => bar().getByRole('button', { name: /Hold to allow once/ });
    const hold = async (ms: number) => {
      await fireEvent.pointerDown(button(), { button: 0 });
      await settle(ms);
      await fireEvent.pointerUp(button());
      await fireEvent.click(button(), { detail: 1 });
      await settle(50);
    };
    await hold(100);
    expect(screen.getByText(/so a click alone is not enough/)).toBeTruthy();
    await hold(800);
    expect(answers()).toHaveLength(1);
    expect(screen.queryByText(/not enough/)).toBeNull();
    await settle(guardMs);
    await hold(100);
    expect(screen.getByText(/so a click alone is not enough/)).toBeTruthy();
  });

  it('is not allowed by a hold that was begun on what it was before', async () => {
    await show([risky()]);
    await fireEvent.pointerDown(bar().getByRole('button', { name: /Hold to allow once/ }), { button: 0 });
    await settle(100);
    bridge.world.cards = [risky({ hash: 'f'.repeat(64), moved: 'the file changed.' })];
    bridge.hint('approval.requested', 'a1');
    await settle(2_000);
    expect(answers()).toHaveLength(0);
  });

  it('is not allowed by Ctrl+Enter when it is not risky, since that key confirms', async () => {
    await show([write()]);
    await press('Enter', { ctrlKey: true });
    expect(answers()).toHaveLength(0);
  });
});

describe('an answer for the session', () => {
  it('shows what it lets through before it is confirmed', async () => {
    await show([write()]);
    await press('s');
    const scope = within(screen.getByRole('region', { name: 'Allow for this session' }));
    expect(scope.getByText(/Changes internal.*by "write"/)).toBeTruthy();
    expect(scope.getByText('write /home/you/src/dispatchd/internal/dispatch/retry_backoff_policy.go')).toBeTruthy();
    expect(answers()).toHaveLength(0);
    expect(bar().queryByRole('button', { name: /Allow once/ })).toBeNull();
    await press('Enter', { ctrlKey: true });
    const { value } = write().offers[0]?.choices[0] ?? { value: '' };
    expect(answers()).toMatchObject([{ resolution: 'allow_session', chosen: [{ kind: 'file', value }], days: 0 }]);
  });

  it('goes back with Escape', async () => {
    await show([write()]);
    await press('s');
    await press('Escape');
    expect(bar().getByRole('button', { name: /Allow once/ })).toBeTruthy();
  });

  it('is absent, with the reason, where it cannot be given', async () => {
    await show([write({ offers: [], noGrant: 'Once only: it is restricted.' })]);
    expect(bar().queryByRole('button', { name: /session/ })).toBeNull();
    expect(bar().getByText('Once only: it is restricted.')).toBeTruthy();
    await press('s');
    await press('Enter', { ctrlKey: true });
    expect(answers()).toHaveLength(0);
  });
});

describe('a denial with words', () => {
  it('sends them, and letters in the field answer nothing', async () => {
    await show([write()]);
    await press('f');
    const field = screen.getByRole('textbox', { name: /What the agent is told/ });
    for (const key of ['a', 'x', 's', 'i', ']']) await press(key, {}, field);
    await fireEvent.paste(field, { clipboardData: { getData: () => 'aaxx' } });
    await fireEvent.input(field, { target: { value: 'aaxx' }, inputType: 'insertFromPaste' });
    await settle(1_000);
    expect(answers()).toHaveLength(0);
    await fireEvent.input(field, { target: { value: 'Use the helper that is there.' } });
    await press('Enter', { ctrlKey: true }, field);
    expect(answers()).toMatchObject([{ resolution: 'deny', words: 'Use the helper that is there.', stop: false }]);
  });

  it('does not send an empty one', async () => {
    await show([write()]);
    await press('f');
    await press('Enter', { ctrlKey: true });
    expect(answers()).toHaveLength(0);
    expect(bar().getByText('Write what the agent should know.')).toBeTruthy();
  });
});

describe('the card', () => {
  let reads: unknown[];
  const come = (one: ApprovalCard) => {
    const read = vi.spyOn(bridge, 'approval');
    reads = read.mock.calls;
    bridge.world.snapshot.approvals.push(one.row);
    bridge.world.cards.push(one);
    bridge.hint('approval.requested', one.row.id);
  };

  it('is read together with the list when the first call comes in, and once', async () => {
    await show([]);
    come(write());
    expect(reads).toEqual([['a1']]);
    await settle(0);
    expect(screen.getByRole('article', { name: 'Approval' })).toBeTruthy();
    expect(reads).toEqual([['a1']]);
    await press('x');
    await settle();
    expect(answers(), 'it takes no answer before its quiet period').toHaveLength(0);
  });

  it('is read anew when something happened to it since it was read ahead', async () => {
    await show([]);
    const hold = vi.spyOn(bridge, 'snapshot').mockRejectedValueOnce(new Error('x'));
    come(write());
    await settle(0);
    expect(hold).toHaveBeenCalled();
    const now = write({}, { verb: 'Write it otherwise' });
    bridge.world.snapshot.approvals = [now.row];
    bridge.world.cards = [now];
    bridge.hint('approval.changed', 'a1');
    await settle();
    expect(screen.getByRole('heading', { name: 'Write it otherwise' })).toBeTruthy();
  });

  it('of a call that comes while another is open is not read before it is gone to', async () => {
    await show([write()]);
    come(second());
    await settle(200);
    expect(reads).not.toContainEqual(['a2']);
  });

  it('never focuses Allow by itself', async () => {
    await show([write()]);
    expect(document.activeElement?.textContent).not.toContain('Allow once');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('What it will do');
  });

  it('shows foreign text as text and what cannot be seen as tokens', async () => {
    const evil = '<img src=x onerror=alert(1)>\u202e';
    await show([write({ preview: 'command', diffs: [], command: evil }, { verb: evil, caller: evil })]);
    expect(document.querySelector('img')).toBeNull();
    expect(screen.getAllByText(/U\+202E/).length).toBeGreaterThan(2);
  });

  it('shows a command once, and beside it how it runs', async () => {
    const command = 'npm test -- --run';
    const about = [
      { label: 'Runs in', text: '/home/you/src/dispatchd' },
      { label: 'Process', text: '<b>p3</b>\u202e' },
    ];
    const args = [
      { name: 'command', value: command, type: 'text, required', description: 'What to run.' },
      { name: 'timeout_ms', value: '1000', type: 'whole number', description: 'Limit.' },
    ];
    await show([write({ preview: 'command', diffs: [], command, about, arguments: args, paths: [] })]);
    expect(within(screen.getByRole('region', { name: 'Full command' })).getByText('npm')).toBeTruthy();
    const facts = within(screen.getByRole('region', { name: 'How it runs' }));
    expect(facts.getByText('/home/you/src/dispatchd')).toBeTruthy();
    expect(facts.getByText(/<b>p3<\/b>/)).toBeTruthy();
    expect(facts.getByText(/U\+202E/)).toBeTruthy();
    const table = within(screen.getByRole('region', { name: 'Arguments' }));
    expect(table.queryByText('command')).toBeNull();
    expect(table.getByText('timeout_ms')).toBeTruthy();
  });

  it('shows the text that a running program would be sent', async () => {
    await show([write({ preview: 'command', diffs: [], command: '', input: 'drop table users;\n', paths: [] })]);
    expect(within(screen.getByRole('region', { name: 'Text that it is sent' })).getByText('drop')).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'Arguments' })).toBeNull();
  });

  it('shows the exact arguments and their hash with one key', async () => {
    await show([write()]);
    await press('i');
    const exact = within(screen.getByRole('region', { name: 'Exact arguments' }));
    expect(exact.getByText(write().canonical)).toBeTruthy();
    expect(exact.getByText(write().hashShort)).toBeTruthy();
  });

  it('says that it is out of date before it is answered', async () => {
    await show([write()]);
    bridge.world.cards = [write({ drift: 'The file changed since this card was made.' })];
    await settle(3_500);
    expect(screen.getByText(/The file changed since this card was made/)).toBeTruthy();
    await press('a');
    await settle(aloneMs);
    expect(answers()).toHaveLength(1);
  });

  it('draws a line break of a path as a token, in the list and on the card', async () => {
    const path = 'line1\nAllow once/x.txt ';
    await show([write({ diffs: [diff({ path, unified, additions: 1, deletions: 1 })] }, { subject: path })]);
    expect(screen.getAllByText('U+000A')).toHaveLength(2);
    expect(screen.getAllByText('U+0020')).toHaveLength(2);
  });

  it('of an empty new file says so', async () => {
    await show([write({ diffs: [diff({ created: true })] })]);
    expect(screen.getByText('An empty file.')).toBeTruthy();
  });

  it('says that its caller left', async () => {
    await show([write({}, { callerLeft: true, leftWhy: 'left' })]);
    expect(screen.getByText('The caller left.')).toBeTruthy();
    expect(screen.getByText(/Nothing runs by itself/)).toBeTruthy();
  });

  it('that was answered elsewhere stays, says so, and takes no answer', async () => {
    await show([write(), second()]);
    bridge.close('a1', 'approved', 'allow_once');
    bridge.hint('approval.resolved', 'a1');
    await settle();
    expect(screen.getByText('Allowed once by you.')).toBeTruthy();
    await press('a');
    await settle(aloneMs);
    expect(answers()).toHaveLength(0);
    await click(bar().getByRole('button', { name: /Next card/ }));
    await settle();
    expect(screen.getByRole('heading', { name: 'Write the second' })).toBeTruthy();
  });

  it('that a looser or a tighter preset answered closes by itself and says so', async () => {
    await show([write(), second()]);
    for (const [status, ended] of [
      ['approved', 'Allowed by the preset Edit.'],
      ['denied', 'Denied by the preset Audit.'],
    ] as const) {
      const { row } = bridge.world.cards[0] as ApprovalCard;
      bridge.world.cards = [write({ ended }, { ...row, status }), second()];
      bridge.world.snapshot.approvals = [second().row];
      bridge.hint('approval.resolved', 'a1');
      await settle();
      expect(screen.getByText(ended)).toBeTruthy();
      expect(screen.queryAllByRole('option')).toHaveLength(1);
      expect(bar().queryByRole('button', { name: /Allow|Deny/ })).toBeNull();
      expect(bar().getByText('This card takes no more answers.')).toBeTruthy();
    }
    await press('x');
    await press('t');
    await settle();
    expect(answers()).toEqual([]);
  });

  it('takes the focus from nobody when it comes, changes or ends', async () => {
    await show([write(), second()]);
    const row = screen.getAllByRole('option')[1] as HTMLElement;
    const list = screen.getByRole('listbox');
    list.focus();
    const held = document.activeElement;
    bridge.world.cards = [write({ hash: 'another', drift: 'A file of this card has changed.' }), second()];
    bridge.hint('approval.changed', 'a1');
    await settle();
    expect(document.activeElement).toBe(held);
    bridge.close('a1', 'approved', 'allow_once');
    bridge.hint('approval.resolved', 'a1');
    await settle();
    expect(document.activeElement).toBe(held);
    expect(row.isConnected).toBe(true);
  });

  it('gives way to its neighbours with brackets', async () => {
    await show([write(), second()]);
    await press(']');
    await settle();
    expect(screen.getByRole('heading', { name: 'Write the second' })).toBeTruthy();
    await press('[');
    await settle();
    expect(screen.getByRole('heading', { name: 'Write 1 file' })).toBeTruthy();
  });
});

describe('the trust question', () => {
  it('comes first, and no single key answers it', async () => {
    await show([write({}, { workspace: question.root })], [question]);
    expect(screen.getByRole('heading', { name: 'Trust this folder?' })).toBeTruthy();
    for (const key of ['a', 'x', 'y', 'n', 's', 'Enter']) await press(key);
    await press('Enter', { ctrlKey: true });
    await settle();
    expect(bridge.of('answerTrust')).toEqual([]);
    expect(answers()).toHaveLength(0);
  });

  it.each([
    ['Yes, trust it', 'yes'],
    ['No', 'no'],
    ['Later', 'later'],
  ])('is answered by the button %s', async (name, answer) => {
    await show([write({}, { workspace: question.root })], [question]);
    await click(bar().getByRole('button', { name }));
    await settle();
    expect(bridge.of('answerTrust')).toEqual([{ root: question.root, answer }]);
  });

  it('takes no answer while it is new', async () => {
    await show([write({}, { workspace: question.root })], [question]);
    await press(']');
    await settle();
    await press('[');
    await settle(20);
    await click(bar().getByRole('button', { name: 'Yes, trust it' }));
    expect(bridge.of('answerTrust')).toEqual([]);
  });
});

describe('the workspace of a call', () => {
  const options = () => screen.getAllByRole('option').map((one) => one.textContent ?? '');
  const head = () => screen.getByRole('article', { name: 'Approval' }).querySelector('header');

  it('stands in the head of every card, whole', async () => {
    await show([write()]);
    expect(head()?.textContent).toContain('/home/you/src/dispatchd');
    expect(head()?.querySelector('.workspace b')?.textContent).toBe('dispatchd');
    expect(head()?.querySelector('[title="/home/you/src/dispatchd"]')).toBeTruthy();
    expect(options()[0]).not.toContain('/home/you/src');
  });

  it('stands in the row when the desk works elsewhere, and tells apart two folders of one name', async () => {
    const at = (id: string, workspace: string) => write({}, { id, workspace, subject: 'n001.txt' });
    await show([at('a1', '/srv/one/dispatchd'), at('a2', '/srv/two/dispatchd')]);
    expect(options()[0]).toContain('/srv/one/dispatchd');
    expect(options()[1]).toContain('/srv/two/dispatchd');
    expect(head()?.textContent).toContain('/srv/one/dispatchd');
  });

  it('stands beside the kind of a caller that came through MCP', async () => {
    await show([write({}, { caller: 'Codex', callerKind: 'mcp' })]);
    expect(head()?.textContent).toContain('MCP client');
    cleanup();
    await show([write()]);
    expect(head()?.textContent).not.toContain('MCP client');
  });

  it('shows what cannot be seen in it', async () => {
    await show([write({}, { workspace: '/srv/on\u200be/dispatchd' })]);
    expect(head()?.querySelector('.workspace')?.textContent).toContain('U+200B');
    expect(options()[0]).toContain('U+200B');
  });

  it('is asked about for a client that came through MCP, whose name shows what only looks like a letter', async () => {
    await show([], [{ ...question, askedBy: 'C\u043edex' }]);
    const asked = screen.getByRole('article', { name: 'Trust question' }).querySelector('header')?.textContent;
    expect(asked?.replace(/\s+/g, ' ')).toContain('Asked by CU+043Edex, an MCP client, ');
  });

  it('stands in the head of a trust question', async () => {
    await show([], [question]);
    expect(
      screen.getByRole('article', { name: 'Trust question' }).querySelector('header .workspace')?.textContent,
    ).toContain('/home/you/src/acme');
  });
});

describe('calls whose caller left', () => {
  const dead = (n: number) => write({}, { id: `d${n}`, verb: `Dead ${n}`, callerLeft: true, leftWhy: 'left' });
  const order = () =>
    [...screen.getByRole('listbox').querySelectorAll('[role=option], .group')].map(
      (one) => one.querySelector('.verb')?.textContent ?? one.textContent,
    );
  const list = () => screen.getByRole('region', { name: 'Waiting calls' });

  it('stand below the live ones under a heading of their own, and do not count as waiting', async () => {
    await show([dead(1), dead(2), second()]);
    expect(order()).toEqual(['Write the second', 'Caller left', 'Dead 1', 'Dead 2']);
    expect(within(list()).getByText('1 waiting, 2 left')).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Write the second' })).toBeTruthy();
    expect(screen.getByRole('navigation', { name: 'Views' }).querySelector('.badge')?.firstChild?.textContent).toBe(
      '1',
    );
    expect(document.title).toBe('(1) Countersign');
  });

  it('are dismissed together, those of this caller and no other', async () => {
    const other = write({}, { id: 'd3', verb: 'Dead 3', sessionId: 's9', callerLeft: true, leftWhy: 'left' });
    await show([dead(1), dead(2), other, second()]);
    await fireEvent.click(screen.getByRole('option', { name: /Dead 1/ }));
    await settle();
    await click(screen.getByRole('button', { name: 'Dismiss all 2 of this caller' }));
    await settle();
    expect(bridge.of('dismissLeft')).toEqual([dead(1).row.sessionId]);
    expect(order()).toEqual(['Write the second', 'Caller left', 'Dead 3']);
    expect(said()).toContain('2 cards dismissed. Nothing ran.');
    expect(answers()).toEqual([]);
  });

  it('move nothing under the pointer when one more leaves', async () => {
    await show([write({}, { verb: 'First' }), second(), dead(1)]);
    const box = screen.getByRole('listbox');
    await fireEvent(box, Object.assign(new Event('pointerenter'), { pointerType: 'mouse' }));
    const { snapshot } = bridge.world;
    snapshot.approvals = snapshot.approvals.map((row) =>
      row.id === 'a1' ? { ...row, callerLeft: true, leftWhy: 'left' } : row,
    );
    bridge.hint('approval.requested', 'a1');
    await settle();
    expect(order()).toEqual(['First', 'Write the second', 'Caller left', 'Dead 1']);
    await fireEvent(box, new Event('pointerleave'));
    await settle();
    expect(order()).toEqual(['Write the second', 'Caller left', 'First', 'Dead 1']);
  });
});
