import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import App from '../App.svelte';
import { BridgeError } from '../lib/bridge/bridge';
import type { ClientPlan, ClientRow, ConnectView } from '../lib/bridge/dto';
import { FakeBridge } from '../lib/bridge/fake';
import { caller, client, clientPlan, desk, diff } from '../test/make';

const claude = client({
  id: 'claude',
  name: 'Claude Code',
  command: 'claude mcp add countersign -- /c mcp',
  fragment: '{ "mcpServers": {} }\n',
  place: '.mcp.json',
  path: '/w/.mcp.json',
  user: false,
  after: 'Start Claude Code anew in this folder.',
});

let bridge: FakeBridge;
const copied: string[] = [];
let clipboard: (text: string) => Promise<void>;

async function show(view: Partial<ConnectView> = {}, plans: Record<string, ClientPlan> = {}) {
  bridge = new FakeBridge({
    snapshot: { desk: desk(), sessions: [], approvals: [], trust: [] },
    cards: [],
    views: [],
    details: [],
    trusts: [],
    tools: [],
    connect: { clients: [claude, client()], callers: [], ...view },
    plans: { codex: clientPlan(), ...plans },
  });
  location.hash = '#/connect';
  render(App, { props: { bridge } });
  await settle();
}

const settle = (ms = 500) => vi.advanceTimersByTimeAsync(ms);
const press = (key: string, init: KeyboardEventInit = {}) => fireEvent.keyDown(document.body, { key, ...init });
const row = (name: string) =>
  within(screen.getByRole('heading', { name, exact: true } as never).closest('li') as HTMLElement);
const click = async (element: Element) => {
  await fireEvent.click(element);
  await settle();
};
const change = () => within(screen.getByRole('region', { name: 'Change of the file' }));
const text = (name: string) => screen.getByRole('heading', { name }).closest('li')?.textContent?.replace(/\s+/g, ' ');

beforeEach(() => {
  vi.useFakeTimers();
  copied.length = 0;
  clipboard = async (text) => void copied.push(text);
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: (text: string) => clipboard(text) } });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('a client', () => {
  it('is shown with its text, its file and how it stands', async () => {
    await show({
      clients: [client({ state: 'current', sessions: 2 }), client({ id: 'x', name: 'X', state: 'differs' })],
    });
    expect(text('Codex')).toContain('Set up, 2 sessions');
    expect(text('Codex')).toContain('tool_timeout_sec = 86400');
    expect(row('Codex').queryByRole('button', { name: /^Write it/ })).toBeNull();
    expect(text('X')).toContain('Set up, but with other settings');
    expect(row('X').getByRole('button', { name: /Bring it up to date…/ })).toBeTruthy();
  });

  it('that cannot be written says why, and its text can still be copied', async () => {
    await show({ clients: [client({ state: 'unreadable', trouble: 'The file is not valid TOML.' })] });
    expect(text('Codex')).toContain('The file is not valid TOML.');
    expect(row('Codex').queryByRole('button', { name: /^Write it/ })).toBeNull();
    await click(row('Codex').getByRole('button', { name: /^Copy/ }));
    expect(copied).toEqual([client().fragment]);
  });

  it('with a command and a file has both to copy', async () => {
    await show();
    await click(row('Claude Code').getByRole('button', { name: 'Copy the command for Claude Code' }));
    await click(row('Claude Code').getByRole('button', { name: 'Copy the entry for Claude Code' }));
    expect(copied).toEqual([claude.command, claude.fragment]);
    expect(row('Claude Code').getByText(/^Copied/)).toBeTruthy();
    await settle(2_500);
    expect(row('Claude Code').queryByText(/^Copied/)).toBeNull();
  });

  it('is copied by a key once it is the current one', async () => {
    await show();
    await press('y');
    expect(copied).toEqual([]);
    await press('j');
    await press('y');
    await settle();
    expect(copied).toEqual([claude.command]);
  });

  it('says so when there is no clipboard', async () => {
    await show();
    clipboard = () => Promise.reject(new Error('denied'));
    await click(row('Codex').getByRole('button', { name: /^Copy/ }));
    expect(screen.getByRole('alert').textContent).toContain('Mark the text and copy it.');
    bridge.hint('session.changed');
    await settle();
    expect(screen.getByRole('alert').textContent).toContain('Mark the text and copy it.');
  });

  it('shows hidden characters as tokens', async () => {
    await show({ clients: [client({ fragment: 'args = ["\u202e\u200b"]\n' })] });
    expect(text('Codex')).toContain('U+202E');
    expect(text('Codex')).toContain('U+200B');
  });
});

describe('a change', () => {
  it('is shown before anything is written, and then written as it was shown', async () => {
    await show();
    await click(row('Codex').getByRole('button', { name: /^Write it for me/ }));
    expect(screen.getByRole('region', { name: /Change of ~\/.codex\/config.toml/ })).toBeTruthy();
    expect(bridge.of('writeClient')).toEqual([]);
    await click(change().getByRole('button', { name: /^Write/ }));
    expect(bridge.of('writeClient')).toEqual([{ client: 'codex', hash: 'h1' }]);
    expect(text('Codex')).toContain('Written to ~/.codex/config.toml. Start Codex anew.');
    expect(text('Codex')).toContain('Set up');
    expect(screen.queryByRole('region', { name: 'Change of the file' })).toBeNull();
  });

  it('is opened, left and written by keys alone', async () => {
    await show();
    await press('j');
    await press('j');
    await press('d');
    await settle();
    await press('Escape');
    await settle();
    expect(screen.queryByRole('region', { name: 'Change of the file' })).toBeNull();
    await press('Enter', { ctrlKey: true });
    await settle();
    expect(bridge.of('writeClient')).toEqual([]);
    await press('d');
    await settle();
    await press('Enter', { ctrlKey: true });
    await settle();
    expect(bridge.of('writeClient')).toEqual([{ client: 'codex', hash: 'h1' }]);
  });

  it('that is no longer the one is shown anew, and nothing was written', async () => {
    await show();
    await click(row('Codex').getByRole('button', { name: /^Write it for me/ }));
    bridge.world.plans = {
      codex: clientPlan(
        {},
        { hash: 'h2', diffs: [diff({ path: 'new', unified: '@@ -1 +1 @@\n-a\n+b\n', additions: 1, deletions: 1 })] },
      ),
    };
    await click(change().getByRole('button', { name: /^Write/ }));
    expect(change().getByText(/^The file changed since this was shown. Nothing was written/)).toBeTruthy();
    await click(change().getByRole('button', { name: /^Write/ }));
    expect(bridge.of('writeClient')).toEqual([
      { client: 'codex', hash: 'h1' },
      { client: 'codex', hash: 'h2' },
    ]);
  });

  it('of a link says where it leads', async () => {
    const plan = clientPlan({ linkedTo: '/home/you/dotfiles/codex.toml' });
    await show({}, { codex: plan });
    await click(row('Codex').getByRole('button', { name: /^Write it for me/ }));
    expect(screen.getByRole('region', { name: 'Change of the file' }).textContent?.replace(/\s+/g, ' ')).toContain(
      'The file is a link. What is written is /home/you/dotfiles/codex.toml.',
    );
  });

  it('that cannot be made says why, and offers nothing to write', async () => {
    await show();
    const words = 'The file is marked read-only, so it is left alone.';
    bridge.planClient = () => Promise.reject(new BridgeError('unavailable', words));
    await click(row('Codex').getByRole('button', { name: /^Write it for me/ }));
    expect(change().getByRole('alert').textContent).toContain(words);
    expect(change().queryByRole('button', { name: /^Write/ })).toBeNull();
    await click(change().getByRole('button', { name: /^Close/ }));
  });

  it('of a file that has the entry already says that', async () => {
    await show({}, { codex: clientPlan({}, { diffs: [], hash: '' }) });
    await click(row('Codex').getByRole('button', { name: /^Write it for me/ }));
    expect(change().getByText('The entry is there already. Nothing was written.')).toBeTruthy();
    expect(change().queryByRole('button', { name: /^Write/ })).toBeNull();
  });
});

describe('who is connected', () => {
  it('is told with its calls, and what waits leads to the approvals', async () => {
    await show({ callers: [caller({ calls: 1_234, denied: 1 })] });
    const item = text('Codex 0.171.0');
    for (const words of ['stdio, process 48977', '26 min ago', '1,234, 1 denied', 'Waiting for you'])
      expect(item).toContain(words);
    expect(row('Codex 0.171.0').getByRole('link', { name: '2 calls' }).getAttribute('href')).toBe('#/approvals');
  });

  it('is nobody at first, which says what to do', async () => {
    await show();
    expect(screen.getByText(/^Nobody is connected\./)).toBeTruthy();
  });

  it('is disconnected after a question', async () => {
    await show({ callers: [caller()] });
    await click(row('Codex 0.171.0').getByRole('button', { name: /^Disconnect…/ }));
    expect(row('Codex 0.171.0').getByRole('group').textContent).toContain('The 2 calls that wait stay as cards');
    expect(document.activeElement?.textContent).toBe('Keep it');
    await click(row('Codex 0.171.0').getByRole('button', { name: 'Keep it' }));
    expect(document.activeElement?.textContent).toContain('Disconnect…');
    expect(bridge.of('disconnect')).toEqual([]);
    await click(row('Codex 0.171.0').getByRole('button', { name: /^Disconnect…/ }));
    await click(row('Codex 0.171.0').getByRole('button', { name: 'Disconnect Codex now' }));
    expect(bridge.of('disconnect')).toEqual(['s3']);
    expect(screen.getByText(/^Nobody is connected\./)).toBeTruthy();
  });

  it('is read again when something happened', async () => {
    await show();
    (bridge.world.connect as ConnectView).callers = [caller()];
    bridge.hint('session.changed');
    await settle();
    expect(screen.getByRole('heading', { name: 'Codex 0.171.0' })).toBeTruthy();
  });

  it('keeps what was read when a reading fails', async () => {
    await show({ callers: [caller()] });
    bridge.connect = () => Promise.reject(new BridgeError('internal', 'The history cannot be read.'));
    bridge.hint('session.changed');
    await settle();
    expect(screen.getByRole('alert').textContent).toContain('The history cannot be read.');
    expect(screen.getByRole('heading', { name: 'Codex 0.171.0' })).toBeTruthy();
  });
});

it('lists every client with an own heading', async () => {
  const many: ClientRow[] = [claude, client(), client({ id: 'y', name: 'Y' })];
  await show({ clients: many });
  for (const one of many) expect(screen.getByRole('heading', { name: one.name, level: 2 })).toBeTruthy();
});
