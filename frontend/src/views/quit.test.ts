import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';

import App from '../App.svelte';
import { FakeBridge } from '../lib/bridge/fake';
import { browserShell, type Shell, type Stake } from '../lib/bridge/shell';
import { desk } from '../test/make';

/** A window whose closing is in the hands of the test. */
function open() {
  let ask: (stake: Stake) => void = () => {};
  let openCard: (request: string) => void = () => {};
  const shell = {
    ...browserShell(),
    kind: 'window',
    remember: vi.fn(),
    quit: vi.fn(),
    stay: vi.fn(),
    onQuit(listener) {
      ask = listener;
      return () => {};
    },
    onOpen(listener) {
      openCard = listener;
      return () => {};
    },
  } satisfies Shell;
  const snapshot = { desk: desk(), sessions: [], approvals: [], trust: [] };
  const bridge = new FakeBridge({ snapshot, cards: [], views: [], details: [], trusts: [], tools: [] });
  location.hash = '';
  render(App, { props: { bridge, shell } });
  const click = (request: string) => openCard(request);
  return { shell, click, ask: (waiting: number, processes = 0) => ask({ waiting, processes }) };
}

describe('a click on a notification', () => {
  afterEach(cleanup);

  it('leads to the one card, or to all that waits', () => {
    const { click } = open();
    click('a/1');
    expect(location.hash).toBe('#/approvals/a%2F1');
    click('');
    expect(location.hash).toBe('#/approvals');
  });
});

const question = () => screen.queryByRole('alertdialog');
const named = (name: string) => screen.getByRole('alertdialog', { name });
const words = () => document.getElementById(question()?.getAttribute('aria-describedby') ?? '')?.textContent;

describe('closing the window while calls wait', () => {
  afterEach(cleanup);

  it('asks at once, says how many wait and what becomes of them, and focuses the answer that changes nothing', () => {
    const { ask } = open();
    ask(3);
    expect(named('3 calls wait for you')).toBe(question());
    expect(words()).toMatch(/the calls do not run.*cards stay/s);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Keep open/ }));
  });

  it('marks the page as covered while it is asked', async () => {
    const { ask } = open();
    const covered = () => document.documentElement.hasAttribute('data-covered');
    ask(2);
    expect(question() && covered()).toBe(true);
    await fireEvent.click(screen.getByRole('button', { name: /^Keep open/ }));
    expect(covered()).toBe(false);
  });

  it('speaks of one call as of one', () => {
    const { ask } = open();
    ask(1);
    expect(named('1 call waits for you')).toBe(question());
    expect(words()).toMatch(/the call does not run.*Its card stays/s);
  });

  it('says that processes in the background are stopped', () => {
    const { ask } = open();
    ask(0, 2);
    expect(named('2 processes run in the background')).toBe(question());
    expect(words()).toMatch(/If you quit, they are\s+stopped with everything they started/);
    expect(words()).not.toMatch(/card/);
  });

  it('says both where calls wait and a process runs', () => {
    const { ask } = open();
    ask(1, 1);
    expect(named('1 call waits for you, and 1 process runs in the background')).toBe(question());
    expect(words()).toMatch(/the call does not run.*The process is\s+stopped/s);
  });

  it('quits by its button alone', async () => {
    const { shell, ask } = open();
    ask(2);
    for (const key of ['Enter', 'q', 'a', ' ']) await fireEvent.keyDown(document.body, { key });
    expect(shell.quit).not.toHaveBeenCalled();
    await fireEvent.click(screen.getByRole('button', { name: 'Quit' }));
    expect(shell.quit).toHaveBeenCalledTimes(1);
    expect(shell.stay).not.toHaveBeenCalled();
  });

  it.each([
    ['the button', () => fireEvent.click(screen.getByRole('button', { name: /^Keep open/ }))],
    ['Escape, which cancels a dialog', () => fireEvent(question()!, new Event('cancel', { cancelable: true }))],
    ['a click beside it', () => fireEvent.click(question()!)],
  ])('stays open by %s', async (_, act) => {
    const { shell, ask } = open();
    ask(2);
    await act();
    expect(shell.stay).toHaveBeenCalledTimes(1);
    expect(shell.quit).not.toHaveBeenCalled();
    expect(question()).toBeNull();
  });

  it('lets no view behind it take a key', async () => {
    const { ask } = open();
    ask(2);
    await fireEvent.keyDown(document.body, { key: '3', ctrlKey: true });
    expect(location.hash).toBe('');
  });

  it('tells the window which view is open', async () => {
    const { shell } = open();
    expect(shell.remember).toHaveBeenLastCalledWith('desk');
    location.hash = '#/tools';
    await vi.waitFor(() => expect(shell.remember).toHaveBeenLastCalledWith('tools'));
  });
});
