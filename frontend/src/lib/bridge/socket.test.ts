import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Link } from './bridge';
import type { Event } from './dto';
import { SocketBridge } from './socket';

/** A socket whose other end is the test. */
class Line {
  static readonly all: Line[] = [];
  readonly sent: { id: string; method: string; params: unknown[] }[] = [];
  onopen: () => void = () => {};
  onclose: () => void = () => {};
  onmessage: (message: { data: string }) => void = () => {};

  constructor(readonly address: string) {
    Line.all.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  says(reply: unknown) {
    this.onmessage({ data: JSON.stringify(reply) });
  }
}

const line = () => Line.all.at(-1)!;

describe('the bridge over a socket', () => {
  let bridge: SocketBridge;
  let links: Link[];

  beforeEach(() => {
    vi.useFakeTimers();
    Line.all.length = 0;
    vi.stubGlobal('WebSocket', Line);
    vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('refused')));
    bridge = new SocketBridge('ws://desk/ws');
    links = [];
    bridge.onState((link) => links.push(link));
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it('asks by name and place, and gives each answer to its own question', async () => {
    line().onopen();
    const first = bridge.message('s1', 'm1');
    const second = bridge.tools();
    expect(line().sent).toEqual([
      { id: '1', method: 'Message', params: ['s1', 'm1'] },
      { id: '2', method: 'Tools', params: [] },
    ]);
    line().says({ id: '2', result: [] });
    line().says({ id: '1', result: 'all of it' });
    expect(await first).toBe('all of it');
    expect(await second).toEqual([]);
  });

  it('rejects with the code, the sentence and the fields that the desk gave', async () => {
    line().onopen();
    const asked = bridge.approval('x');
    line().says({ id: '1', error: { code: 'not_found', message: 'It is not there.', fields: { id: 'is unknown' } } });
    await expect(asked).rejects.toMatchObject({
      code: 'not_found',
      message: 'It is not there.',
      fields: { id: 'is unknown' },
    });
  });

  it('hands on hints', () => {
    const hints: Event[] = [];
    bridge.onEvent((event) => hints.push(event));
    line().onopen();
    line().says({ event: { n: '1', type: 'approval.requested', sessionId: 's', ref: 'a', at: '' } });
    expect(hints.map((hint) => hint.ref)).toEqual(['a']);
  });

  it('sends nothing while the desk is away, and never later', async () => {
    await expect(bridge.snapshot()).rejects.toMatchObject({ code: 'link.down' });
    line().onopen();
    expect(line().sent).toEqual([]);
  });

  it('says of an open question that its answer may be lost, and connects again', async () => {
    line().onopen();
    const asked = bridge.answer({
      id: 'a',
      resolution: 'deny',
      chosen: [],
      days: 0,
      words: '',
      keep: [],
      hash: 'h',
      shown: '',
      stop: false,
    });
    line().onclose();
    await expect(asked).rejects.toMatchObject({ code: 'link.lost' });
    await vi.advanceTimersByTimeAsync(300);
    expect(Line.all).toHaveLength(2);
    line().onopen();
    expect(line().sent).toEqual([]);
    expect(links).toEqual(['connecting', 'up', 'down', 'up']);
  });

  it('tells a desk that turns this page away from one that is not there', async () => {
    vi.mocked(fetch).mockResolvedValue({ status: 403 } as Response);
    line().onclose();
    await vi.advanceTimersByTimeAsync(0);
    expect(links.at(-1)).toBe('refused');
  });
});
