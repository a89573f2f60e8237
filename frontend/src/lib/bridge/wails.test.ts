import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Link } from './bridge';
import type { Event } from './dto';
import { type Bound, inWindow, type Place, WailsBridge, windowShell } from './wails';

type Listener = (data: unknown) => void;

/** The window's side, played by the test. */
function stage() {
  const listeners = new Map<string, Listener>();
  const bound = {
    Ask: vi.fn<(text: string) => Promise<string>>(),
    Ready: vi.fn(async () => {}),
    Copy: vi.fn(async () => {}),
    SaveOutput: vi.fn(async () => '/home/you/a.txt'),
    OpenFolder: vi.fn(async () => Promise.reject('the folder could not be opened here')),
    Remember: vi.fn(async () => {}),
    Asking: vi.fn(async () => {}),
    Stay: vi.fn(async () => {}),
    Quit: vi.fn(async () => {}),
  } satisfies Bound;
  const place: Place = {
    go: { main: { Window: bound } },
    runtime: {
      EventsOn(name, listener) {
        listeners.set(name, listener as Listener);
        return () => listeners.delete(name);
      },
    },
  };
  return { bound, place, listeners };
}

const hint = (n: string): Event => ({ n, type: 'approval.requested', sessionId: 's', ref: 'a', at: '' });

describe('the shell of the window', () => {
  it('saves an output and says in its own words what it could not do', async () => {
    const { bound, place } = stage();
    const shell = windowShell(place);
    expect(await shell.save({ sessionId: 's', name: 'a.txt' })).toBe('/home/you/a.txt');
    expect(bound.SaveOutput).toHaveBeenCalledWith('s', 'a.txt');
    await expect(shell.openFolder?.({ sessionId: 's', name: 'a.txt' })).rejects.toThrow(
      'the folder could not be opened here',
    );
  });
});

describe('a click on a notification', () => {
  it('opens what the desk says', () => {
    const { place, listeners } = stage();
    const opened: string[] = [];
    const stop = windowShell(place).onOpen((request) => opened.push(request));
    listeners.get('countersign:open')?.('a1');
    listeners.get('countersign:open')?.('');
    stop();
    expect(opened).toEqual(['a1', '']);
    expect(listeners.size).toBe(0);
  });
});

describe('the bridge over the window', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('asks with the messages of the socket, and answers what comes back', async () => {
    const { bound, place } = stage();
    bound.Ask.mockResolvedValueOnce('{"id":"1","result":"all of it"}');
    const bridge = new WailsBridge(place);
    expect(await bridge.message('s1', 'm1')).toBe('all of it');
    expect(JSON.parse(bound.Ask.mock.calls[0]![0])).toEqual({ id: '1', method: 'Message', params: ['s1', 'm1'] });
  });

  it('rejects with the code, the sentence and the fields that the desk gave', async () => {
    const { bound, place } = stage();
    bound.Ask.mockResolvedValueOnce('{"id":"1","error":{"code":"invalid","message":"No.","fields":{"id":"is long"}}}');
    const asked = new WailsBridge(place).approval('x');
    await expect(asked).rejects.toMatchObject({ code: 'invalid', message: 'No.', fields: { id: 'is long' } });
  });

  it('says so in words where the window itself fails or answers nonsense', async () => {
    const { bound, place } = stage();
    const bridge = new WailsBridge(place);
    for (const broken of [Promise.reject(new Error('method not registered')), Promise.resolve('{"id":')]) {
      bound.Ask.mockReturnValueOnce(broken);
      await expect(bridge.tools()).rejects.toMatchObject({
        code: 'internal',
        message: expect.stringContaining('window'),
      });
    }
  });

  it('listens before it asks for hints, is up once it may, and hands on every hint in order', async () => {
    const { bound, place, listeners } = stage();
    let listening = false;
    bound.Ready.mockImplementationOnce(async () => {
      listening = listeners.has('countersign:hints');
    });
    const bridge = new WailsBridge(place);
    const links: Link[] = [];
    const hints: string[] = [];
    bridge.onState((link) => links.push(link));
    bridge.onEvent((event) => hints.push(event.n));
    await vi.advanceTimersByTimeAsync(0);
    expect(listening).toBe(true);
    expect(links).toEqual(['connecting', 'up']);
    listeners.get('countersign:hints')!([hint('1'), hint('2')]);
    expect(hints).toEqual(['1', '2']);
  });

  it('waits for what the window puts into the page', async () => {
    const { bound, place } = stage();
    const late: Place = {};
    const bridge = new WailsBridge(late);
    const links: Link[] = [];
    bridge.onState((link) => links.push(link));
    await expect(bridge.tools()).rejects.toMatchObject({ code: 'link.down' });
    await vi.advanceTimersByTimeAsync(100);
    expect(links).toEqual(['connecting']);
    Object.assign(late, place);
    await vi.advanceTimersByTimeAsync(100);
    expect(bound.Ready).toHaveBeenCalledTimes(1);
    expect(links).toEqual(['connecting', 'up']);
  });
});

describe('the shell of the window', () => {
  it('copies, remembers and answers through the window', async () => {
    const { bound, place } = stage();
    const shell = windowShell(place);
    await shell.copy('text');
    shell.remember('tools');
    shell.stay();
    shell.quit();
    expect(bound.Copy).toHaveBeenCalledWith('text');
    expect(bound.Remember).toHaveBeenCalledWith('tools');
    expect(bound.Stay).toHaveBeenCalledTimes(1);
    expect(bound.Quit).toHaveBeenCalledTimes(1);
  });

  it('tells the window that its question is shown, after it was', () => {
    const { bound, place, listeners } = stage();
    const order: string[] = [];
    bound.Asking.mockImplementationOnce(async () => void order.push('told'));
    const stop = windowShell(place).onQuit(({ waiting, processes }) => order.push(`shown ${waiting} ${processes}`));
    listeners.get('countersign:quit')!({ waiting: 3, processes: 2 });
    expect(order).toEqual(['shown 3 2', 'told']);
    stop();
    expect(listeners.size).toBe(0);
  });

  it('does not call a question shown that could not be shown', () => {
    const { bound, place, listeners } = stage();
    windowShell(place).onQuit(() => {
      throw new Error('the page is broken');
    });
    expect(() => listeners.get('countersign:quit')!({ waiting: 3, processes: 2 })).toThrow();
    expect(bound.Asking).not.toHaveBeenCalled();
  });

  it('knows the window by its address', () => {
    expect(inWindow({ protocol: 'wails:' } as Location)).toBe(true);
    expect(inWindow({ protocol: 'http:' } as Location)).toBe(false);
  });
});
