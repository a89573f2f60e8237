import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import App from '../App.svelte';
import type { AnswerRequest, ApprovalCard, ChangeForm, ChangeRequest } from '../lib/bridge/dto';
import { FakeBridge } from '../lib/bridge/fake';
import { before, card, desk, session } from '../test/make';

const run = (over: Partial<ApprovalCard> = {}) =>
  card(
    { toolId: 'bash', verb: 'Run 1 command', createdAt: before(90) },
    {
      preview: 'command',
      command: 'npm test',
      canonical: '{"command":"npm test"}',
      hash: 'h1',
      hashShort: 'h1',
      offers: [],
      ...over,
    },
  );

const form = (over: Partial<ChangeForm> = {}): ChangeForm => ({
  id: 'a1',
  hash: 'h1',
  text: '{\n  "command": "npm test"\n}',
  fields: [
    {
      name: 'command',
      kind: 'text',
      given: true,
      value: '"npm test"',
      required: true,
      type: 'text',
      limits: [],
      description: 'What to run.',
      choices: [],
    },
    {
      name: 'timeout_ms',
      kind: 'number',
      given: false,
      value: '',
      required: false,
      type: 'whole number',
      limits: ['at least 1'],
      description: '',
      choices: [],
    },
  ],
  hidden: 0,
  marker: '[redacted:7f3a:',
  locked: false,
  revealed: false,
  ...over,
});

const changed = run({
  command: 'npm run lint',
  canonical: '{"command":"npm run lint"}',
  hash: 'h2',
  hashShort: 'h2',
  changed: {
    by: 'you',
    words: 'You changed the arguments that the agent sent.',
    hashShort: 'h1',
    fields: [{ name: 'command', before: 'npm test', after: 'npm run lint', hidden: false }],
  },
});

let bridge: FakeBridge;

async function show(one: ApprovalCard, callerKind = 'agent', forms = [form()]) {
  bridge = new FakeBridge({
    snapshot: { desk: desk(), sessions: [session({ callerKind })], approvals: [one.row], trust: [] },
    cards: [one],
    views: [{ session: session({ callerKind }), items: [], before: '', after: '', seq: '1' }],
    details: [],
    trusts: [],
    tools: [],
  });
  bridge.forms = forms;
  location.hash = '#/approvals';
  render(App, { props: { bridge } });
  await settle();
}

const settle = (ms = 500) => vi.advanceTimersByTimeAsync(ms);
const press = (key: string, init: KeyboardEventInit = {}, target: Element = document.activeElement ?? document.body) =>
  fireEvent.keyDown(target, { key, ...init });
const editor = () => screen.queryByRole('region', { name: 'Change the arguments' });
const field = (name: string) => within(editor() as HTMLElement).getByLabelText<HTMLTextAreaElement>(name);
const changes = () => bridge.of('changeArguments') as ChangeRequest[];
const answers = () => bridge.of('answer') as AnswerRequest[];
const write = (target: Element, value: string) => fireEvent.input(target, { target: { value } });

async function open() {
  await press('e', {}, document.body);
  await settle();
}

beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('changing the arguments', () => {
  it('shows the changed call, which is answered only then', async () => {
    await show(run());
    await open();
    expect(document.activeElement).toBe(field('command'));
    await write(field('command'), 'npm run lint');
    bridge.changes = [{ outcome: 'changed', words: '', problems: [], card: changed }];
    for (const key of ['a', 'x', 't', 's']) await press(key);
    await settle();
    expect(answers()).toEqual([]);
    await press('Enter', { ctrlKey: true });
    await settle(0);
    expect(changes()).toEqual([
      { id: 'a1', hash: 'h1', arguments: '{\n  "command": "npm run lint"\n}', revealed: false },
    ]);
    expect(editor()).toBeNull();
    const block = within(screen.getByRole('region', { name: 'Changed arguments' }));
    expect(block.getByRole('heading').textContent).toBe('Changed by you');
    expect(block.getAllByRole('cell').map((cell) => cell.textContent?.trim())).toEqual([
      'command',
      'npm test',
      'npm run lint',
    ]);
    // The card that comes is a new one, so nothing counts at once.
    await press('a', {}, document.body);
    await settle(200);
    expect(answers()).toEqual([]);
    await settle(1_200);
    await press('a', {}, document.body);
    await settle(1_000);
    expect(answers()).toMatchObject([{ id: 'a1', resolution: 'allow_once', hash: 'h2' }]);
  });

  it('keeps the card and says what is wrong beside the field', async () => {
    await show(run());
    await open();
    await fireEvent.click(within(editor() as HTMLElement).getByRole('button', { name: 'Add timeout_ms' }));
    await write(field('timeout_ms'), 'soon');
    await press('Enter', { ctrlKey: true }, field('timeout_ms'));
    expect(changes()).toEqual([]);
    expect(field('timeout_ms').getAttribute('aria-invalid')).toBe('true');
    expect(editor()?.textContent).toContain('timeout_ms is not a number: write digits, such as 5000.');
    await write(field('timeout_ms'), '0');
    bridge.changes = [
      {
        outcome: 'refused',
        words: 'The tool does not take these arguments.',
        problems: [{ field: 'timeout_ms', words: 'must be at least 1' }],
        card: run(),
      },
    ];
    await press('Enter', { ctrlKey: true }, field('timeout_ms'));
    await settle(0);
    expect(changes()[0]?.arguments).toBe('{\n  "command": "npm test",\n  "timeout_ms": 0\n}');
    expect(editor()?.textContent).toContain('timeout_ms must be at least 1.');
    expect(field('timeout_ms').value).toBe('0');
  });

  it('keeps what was written when the person goes back, and in the other way of writing', async () => {
    await show(run());
    await open();
    await write(field('command'), 'npm run build');
    await press('Escape');
    await settle();
    expect(editor()).toBeNull();
    await open();
    expect(field('command').value).toBe('npm run build');
    await fireEvent.click(screen.getByRole('button', { name: 'Raw' }));
    expect(field('All arguments as JSON').value).toBe('{\n  "command": "npm run build"\n}');
    await write(field('All arguments as JSON'), '{"command":');
    await fireEvent.click(screen.getByRole('button', { name: 'Fields' }));
    expect(editor()?.textContent).toContain('once it is a JSON object');
    await write(field('All arguments as JSON'), '{"command":"ls"}');
    await fireEvent.click(screen.getByRole('button', { name: 'Fields' }));
    expect(field('command').value).toBe('ls');
  });

  it('leaves the text to copy when the card ends meanwhile', async () => {
    await show(run());
    await open();
    await write(field('command'), 'npm run build');
    bridge.close('a1', 'denied', 'deny');
    bridge.hint('approval.resolved', 'a1');
    await settle();
    expect(field('command').value).toBe('npm run build');
    expect(editor()?.textContent).toContain('What you wrote stays here to copy.');
    expect(screen.queryByRole('button', { name: /Show the changed card/ })).toBeNull();
    expect(changes()).toEqual([]);
  });

  it('does not break up the marker of a hidden piece, and shows it on demand', async () => {
    const hiding = form({
      hidden: 1,
      fields: [{ ...(form().fields[0] as ChangeForm['fields'][0]), value: '"login [redacted:7f3a:1]"' }],
    });
    const shown = form({
      revealed: true,
      fields: [{ ...(form().fields[0] as ChangeForm['fields'][0]), value: '"login hunter2hunter2"' }],
    });
    await show(run(), 'agent', [hiding, shown]);
    await open();
    await write(field('command'), 'login [redacted:7f3a:');
    expect(field('command').value).toBe('login [redacted:7f3a:1]');
    expect(editor()?.textContent).toContain('A marker stands for a hidden piece and stays whole.');
    await fireEvent.click(screen.getByRole('button', { name: 'Show what is hidden' }));
    await settle();
    expect(field('command').value).toBe('login hunter2hunter2');
    bridge.changes = [{ outcome: 'changed', words: '', problems: [], card: changed }];
    await press('Enter', { ctrlKey: true }, field('command'));
    await settle();
    expect(changes()[0]?.revealed).toBe(true);
  });
});

describe('deny and stop', () => {
  it('ends the turn of the agent', async () => {
    await show(run());
    expect(screen.getByRole('button', { name: 'Deny and stop T' }).title).toContain('The turn ends too');
    await press('t', {}, document.body);
    await settle(1_000);
    expect(answers()).toMatchObject([{ resolution: 'deny', stop: true, words: '' }]);
  });

  it('says what it does for a client, and is not there where it could do nothing', async () => {
    await show(run(), 'mcp');
    expect(screen.getByRole('button', { name: 'Deny and stop T' }).title).toContain('A client ends its turn itself');
    cleanup();
    await show(run(), 'command_line');
    expect(screen.queryByRole('button', { name: 'Deny and stop T' })).toBeNull();
    await press('t', {}, document.body);
    await settle(1_000);
    expect(answers()).toEqual([]);
  });

  it('counts the words, and says how many a client is told', async () => {
    await show(run(), 'mcp');
    await press('f', {}, document.body);
    await settle();
    const words = screen.getByLabelText('What the agent is told, word for word');
    await write(words, 'a'.repeat(301));
    const panel = screen.getByRole('region', { name: 'Deny and tell why' });
    expect(panel.textContent).toContain(
      '301 of 300 characters that a client over MCP is told. The caller gets the first part only',
    );
    await write(words, 'a'.repeat(2_001));
    expect(panel.textContent).toContain('Shorten it: no more is kept');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /Deny with these words/ }).disabled).toBe(true);
    await settle(1_000);
    await press('Enter', { ctrlKey: true }, words);
    await settle(1_000);
    expect(answers()).toEqual([]);
  });
});
