import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import App from '../App.svelte';
import { typedMs } from '../lib/approval/guard.svelte';
import type { AnswerRequest, ApprovalCard } from '../lib/bridge/dto';
import { FakeBridge } from '../lib/bridge/fake';
import { card, choice, desk, offer, session, step } from '../test/make';

const gitLog = offer({
  text: 'git log -1',
  choices: [choice('git log -1', 'Runs `git log -1`'), choice('git log *', 'Runs commands that begin with `git log`')],
});
const command = (over: Partial<ApprovalCard> = {}) =>
  card(
    { toolId: 'bash', verb: 'Run a command', risk: 'high' },
    {
      preview: 'command',
      command: 'git log -1 && ls',
      paths: [],
      listing: { state: 'read', why: '', steps: [step('git log -1'), step('ls')], left: 0 },
      offers: [gitLog, offer({ text: 'ls', choices: [choice('ls', 'Runs `ls`')] })],
      hold: true,
      mustSee: true,
      ...over,
    },
  );

let bridge: FakeBridge;
/** Where the ends of the blocks stand; the window's fold is at 600. */
let ends: Record<string, number> = {};

async function show(one: ApprovalCard) {
  bridge = new FakeBridge({
    snapshot: { desk: desk(), sessions: [session()], approvals: [one.row], trust: [] },
    cards: [one],
    views: [{ session: session(), items: [], before: '', after: '', seq: '1' }],
    details: [],
    trusts: [],
    tools: [],
  });
  location.hash = '#/approvals';
  render(App, { props: { bridge } });
  await settle();
  // Nothing is laid out here, so no observer tells of it.
  await scroll();
}

const settle = (ms = 1_000) => vi.advanceTimersByTimeAsync(ms);
const press = async (key: string, init: KeyboardEventInit = {}, target: Element = document.body) => {
  await fireEvent.keyDown(target, { key, ...init });
  await settle(typedMs + 100);
};
const confirm = () => press('Enter', { ctrlKey: true });
const answers = () => bridge.of('answer') as AnswerRequest[];
const bar = () => within(screen.getByRole('group', { name: 'Answer' }));
const scroll = async () => {
  await fireEvent.scroll(screen.getByRole('region', { name: 'What it will do' }));
  await settle();
};

beforeEach(() => {
  vi.useFakeTimers();
  ends = { 'the command': 200, 'the list of commands': 400 };
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    const bottom = this.dataset.block ? (ends[this.dataset.block] ?? 500) : 600;
    return new DOMRect(0, bottom - 100, 100, 100);
  });
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('a risky command', () => {
  it('is allowed once both its text and its list were in view to their ends', async () => {
    ends = { 'the command': 900, 'the list of commands': 2_000 };
    await show(command());
    expect(bar().getByText('Not seen yet: the end of the command and of the list of commands.')).toBeTruthy();
    expect(bar().getByRole('button', { name: /^Hold/ })).toHaveProperty('disabled', true);
    await confirm();
    await press('a');
    await press('s');
    await press('w');
    expect(screen.queryByRole('region', { name: /^Allow|^Always/ })).toBeNull();
    expect(answers()).toEqual([]);

    ends = { 'the command': 500, 'the list of commands': 1_600 };
    await scroll();
    expect(bar().getByText('Not seen yet: the end of the list of commands.')).toBeTruthy();
    await confirm();
    expect(answers()).toEqual([]);

    // What was in view once stays seen.
    ends = { 'the command': -400, 'the list of commands': 590 };
    await scroll();
    await confirm();
    expect(answers()).toMatchObject([{ resolution: 'allow_once', chosen: [] }]);
  });

  it('is not seen by jumping over it', async () => {
    ends = { 'the command': 900, 'the list of commands': 2_000 };
    await show(command());
    ends = { 'the command': -300, 'the list of commands': 590 };
    await scroll();
    expect(bar().getByText('Not seen yet: the end of the command.')).toBeTruthy();
  });

  it('is not said to be shown whole at its end where a part was jumped over', async () => {
    vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(2_000);
    ends = { 'the command': 900, 'the list of commands': 2_000 };
    await show(command());
    ends = { 'the command': -300, 'the list of commands': 590 };
    await scroll();
    screen.getByText('Back to what was not seen yet');
    ends = { 'the command': 500, 'the list of commands': 600 };
    await scroll();
    screen.getByText(/^All of it was shown/);
  });

  it('can be denied unseen', async () => {
    ends = { 'the command': 900, 'the list of commands': 2_000 };
    await show(command());
    await press('x');
    expect(answers()).toMatchObject([{ resolution: 'deny' }]);
  });

  it('waits for nothing at a low risk', async () => {
    ends = { 'the command': 900, 'the list of commands': 2_000 };
    await show(command({ hold: false, mustSee: false }));
    await press('a');
    expect(answers()).toMatchObject([{ resolution: 'allow_once' }]);
  });
});

describe('the scope of a command', () => {
  it('is a row for each part, and goes with the answer for the workspace', async () => {
    await show(command());
    await press('w');
    const picker = within(screen.getByRole('region', { name: 'Always allow in this workspace' }));
    expect(picker.getAllByRole('checkbox')).toHaveLength(2);
    await fireEvent.input(picker.getByRole('textbox', { name: 'Scope of git log -1' }), {
      target: { value: 'git log *' },
    });
    await settle();
    await fireEvent.click(picker.getByRole('checkbox', { name: 'Remember ls' }));
    await fireEvent.change(picker.getByRole('combobox', { name: 'Until when' }), { target: { value: '30' } });
    await settle();
    await confirm();
    expect(answers()).toMatchObject([
      { resolution: 'allow_workspace', chosen: [{ kind: 'command', value: 'git log *' }], days: 30 },
    ]);
  });

  it('that says nothing of the call is told in words, and confirms nothing', async () => {
    await show(command());
    await press('s');
    const picker = within(screen.getByRole('region', { name: 'Allow for this session' }));
    await fireEvent.input(picker.getByRole('textbox', { name: 'Scope of ls' }), { target: { value: 'rm *' } });
    await settle();
    expect(picker.getByText(/Start from what is offered/)).toBeTruthy();
    await confirm();
    expect(answers()).toEqual([]);
  });

  it('that the desk refuses stays to be mended', async () => {
    await show(command());
    bridge.results.push({ outcome: 'refused', words: 'This is too wide.', card: command() });
    await press('s');
    await confirm();
    expect(answers()).toHaveLength(1);
    expect(screen.getByRole('alert').textContent).toContain('This is too wide.');
    expect(screen.getByRole('region', { name: 'Allow for this session' })).toBeTruthy();
  });

  it('takes no letter as an answer while it is written', async () => {
    await show(command());
    await press('s');
    const field = screen.getByRole('textbox', { name: 'Scope of ls' });
    field.focus();
    for (const key of 'xawsf') await press(key, {}, field);
    await press('Enter', {}, field);
    expect(answers()).toEqual([]);
    expect(screen.getByRole('region', { name: 'Allow for this session' })).toBeTruthy();
  });

  it('is for the session or the workspace by a key, and for once by going back', async () => {
    await show(command());
    await press('s');
    await press('w');
    expect(screen.getByRole('region', { name: 'Always allow in this workspace' })).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: 'Once' }));
    await settle();
    expect(screen.queryByRole('region', { name: /^Allow for|^Always/ })).toBeNull();
    await confirm();
    expect(answers()).toMatchObject([{ resolution: 'allow_once', chosen: [], days: 0 }]);
  });
});

describe('what is listed of a command', () => {
  it('tells in words why it could not be read', async () => {
    await show(command({ offers: [], listing: { state: 'unread', why: 'a quote is not closed', steps: [], left: 0 } }));
    expect(
      screen.getByText(/It could not be read as the shell would read it: a quote is not closed\. It may do anything\./),
    ).toBeTruthy();
  });

  it('says how much of a long one is not listed', async () => {
    await show(command({ listing: { state: 'read', why: '', steps: [step('ls')], left: 1_500 } }));
    expect(screen.getByText('Read as 1,501 commands')).toBeTruthy();
    expect(screen.getByText(/1,500 more are in the full command above/)).toBeTruthy();
  });

  it('does not say that nothing was found in a command of which something is not seen', async () => {
    const odd = [{ at: 2, length: 1, name: 'zero width space' }];
    await show(
      command({ listing: { state: 'read', why: '', steps: [step('ls\u200b', [], { odd }), step('pwd')], left: 0 } }),
    );
    const rows = within(screen.getByRole('region', { name: 'Read as' })).getAllByRole('listitem');
    expect(rows[0]?.textContent).toContain('1 character is not what a reader would see');
    expect(rows.map((row) => row.textContent?.includes('nothing else found'))).toEqual([false, true]);
  });

  it('counts and names what is not seen', async () => {
    await show(command({ command: 'ls\u200b\u200b', odd: [{ at: 2, length: 2, name: 'zero width space' }] }));
    expect(screen.getByText('2 characters are not what a reader would see:')).toBeTruthy();
    expect(screen.getByText('U+200B ×2 zero width space')).toBeTruthy();
  });
});
