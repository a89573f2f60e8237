import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { before, callItem, callRow, desk, detail, historyRow, session } from '../../test/make';
import { BridgeError } from '../bridge/bridge';
import type { HistoryPage, HistoryQuery, HistoryRow } from '../bridge/dto';
import { FakeBridge } from '../bridge/fake';
import { Live } from '../bridge/live.svelte';
import { isFiltered, noFilters, queryOf, sinceOf, toggled } from './filters';
import { hitsOf, piecesOf } from './hits';
import { History } from './history.svelte';
import { linesOf, takeMore, takeNews } from './lines';
import { Story } from './story.svelte';

/** A row that was made some seconds ago; the higher the number, the newer. */
const row = (n: number, call = {}, over: Partial<HistoryRow> = {}) =>
  historyRow({ id: `i${n}`, at: before(1_000 - n), ...call }, { cursor: `${n}.1`, ...over });
const rows = (...numbers: number[]) => numbers.map((n) => row(n));
const idsOf = (list: HistoryRow[]) => list.map((one) => one.call.id);
const page = (list: HistoryRow[], next = '', reachedAt = ''): HistoryPage => ({ rows: list, next, reachedAt });

let bridge: FakeBridge;
let live: Live;
let history: History;

function start(past: HistoryRow[] = []) {
  bridge = new FakeBridge({
    snapshot: { desk: desk(), sessions: [session()], approvals: [], trust: [] },
    cards: [],
    views: [
      {
        session: session(),
        items: Array.from({ length: 9 }, (_, i) => callItem({ id: `c${i}`, state: 'running' })),
        before: '',
        after: '',
        seq: '9',
      },
    ],
    details: Array.from({ length: 9 }, (_, i) => detail(callRow({ id: `c${i}` }))),
    trusts: [],
    tools: [],
    history: past,
  });
  live = new Live(bridge);
  history = new History(live);
}

const settle = (ms = 500) => vi.advanceTimersByTimeAsync(ms);
const asked = () => bridge.of('history') as HistoryQuery[];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('filters', () => {
  it('ask for the calls since midnight here, today counted as the last day', () => {
    const now = new Date(2026, 10, 30, 14, 5).getTime();
    expect(sinceOf('all', now)).toBe('');
    expect(sinceOf('today', now)).toBe(new Date(2026, 10, 30).toISOString());
    expect(sinceOf('week', now)).toBe(new Date(2026, 10, 24).toISOString());
    expect(sinceOf('month', now)).toBe(new Date(2026, 10, 1).toISOString());
  });

  it('become one query, with the text trimmed', () => {
    const query = queryOf({ ...noFilters, text: ' a b ', tools: ['read'] }, 0, '5.1', '3.1');
    expect(query).toEqual({
      ...{ text: 'a b', tools: ['read'], endings: [], deciders: [], risks: [], workspaces: [], callers: [] },
      ...{ since: '', before: '5.1', after: '3.1' },
    });
  });

  it('count as such only when they leave something out', () => {
    expect(isFiltered(noFilters)).toBe(false);
    expect(isFiltered({ ...noFilters, text: '  ' })).toBe(false);
    expect(isFiltered({ ...noFilters, risks: ['low'] })).toBe(true);
    expect(toggled(toggled(['a'], 'b'), 'a')).toEqual(['b']);
  });
});

describe('the lines', () => {
  it('put a heading where the day changes, and none before the first call', () => {
    const at = (day: number) => new Date(2026, 10, day, 12).toISOString();
    const list = [row(9, { at: at(30) }), row(8, { at: at(30) }), row(7, { at: at(28) })];
    expect(linesOf(list).map((line) => line.kind)).toEqual(['call', 'call', 'day', 'call']);
    expect(linesOf([])).toEqual([]);
  });

  it('hold a call once', () => {
    expect(idsOf(takeMore(rows(5, 4), page(rows(4, 3))))).toEqual(['i5', 'i4', 'i3']);
  });

  it('never move for what is new: it is counted, and what is shown is told anew', () => {
    const shown = [row(5, { state: 'running' }), row(4, { state: 'waiting_for_approval' }), row(3)];
    const news = takeNews(shown, page([row(7), row(6), row(5, { state: 'failed' }), row(3)]));
    expect(idsOf(news.rows)).toEqual(['i5', 'i4', 'i3']);
    expect(news.rows[0]?.call.state).toBe('failed');
    expect(news.newer).toBe(2);
    expect(news.unsaid).toEqual(['i4']);
    expect(takeNews(shown, page(rows(9, 8))).newer).toBe(2);
    expect(takeNews(shown, page([])).newer).toBe(0);
  });
});

describe('hits', () => {
  it('are found as the desk finds them: only ASCII letters have two cases', () => {
    expect(hitsOf('aAa', 'AA')).toEqual([[0, 2]]);
    expect(hitsOf('Prüfen PRÜFEN', 'prü')).toEqual([[0, 3]]);
    expect(hitsOf('a.c abc', 'a.c')).toEqual([[0, 3]]);
    expect(hitsOf('abc', ' ')).toEqual([]);
  });

  it('lose nothing of a text and keep what would not be seen a token', () => {
    for (const [text, wanted, isPath] of [
      ['src/\u202egpj.exe', 'GPJ', true],
      ['internal/dispatch/claimTest.go', 'patch/cl', true],
      ['<b>claimed twice</b>', 'claimed', false],
      ['', 'x', true],
    ] as const) {
      const pieces = piecesOf(text, wanted, isPath);
      expect(pieces.map((piece) => piece.text).join('')).toBe(text);
      const marked = pieces.filter((piece) => piece.hit).map((piece) => piece.text);
      expect(marked.join('').toLowerCase()).toBe(
        text.toLowerCase().includes(wanted.toLowerCase()) && text ? wanted.toLowerCase() : '',
      );
    }
    expect(piecesOf('a\u202eb', 'ab', true).some((piece) => piece.code === 'U+202E')).toBe(true);
  });
});

describe('the history', () => {
  it('reads a stretch, and the next one when it is wanted', async () => {
    start(rows(...Array.from({ length: 250 }, (_, i) => 250 - i)));
    await history.search();
    expect(history.rows.length).toBe(100);
    await history.more();
    await history.more();
    await history.more();
    expect(history.rows.length).toBe(250);
    expect(history.next).toBe('');
    expect(asked().map((query) => query.before)).toEqual(['', '151.1', '51.1']);
  });

  it('goes on by itself while little is found, says how far it came, and can be stopped', async () => {
    start();
    const answers = [page([], '9.1', before(10)), page(rows(3), '5.1', before(20)), page(rows(2), '2.1', before(30))];
    let release: () => void = () => {};
    bridge.history = async () => {
      if (answers.length === 1) await new Promise<void>((go) => (release = go));
      return answers.shift() ?? page([]);
    };
    const search = history.search();
    await settle();
    expect(idsOf(history.rows)).toEqual(['i3']);
    expect(history.reading).toBe(true);
    expect(history.reachedAt).toBe(before(20));
    history.cancel();
    expect([history.reading, history.paused]).toEqual([false, true]);
    release();
    await search;
    expect(idsOf(history.rows)).toEqual(['i3']);
    await history.more();
    expect(history.paused).toBe(false);
  });

  it('keeps the old content until an answer comes, and drops it when looking was stopped before', async () => {
    start(rows(2, 1));
    await history.search();
    let go: (value: HistoryPage) => void = () => {};
    bridge.history = () => new Promise((answer) => (go = answer));
    history.ask({ tools: ['write'] });
    expect(idsOf(history.rows)).toEqual(['i2', 'i1']);
    history.cancel();
    expect(history.rows).toEqual([]);
    go(page(rows(7)));
    await settle();
    expect(history.rows).toEqual([]);
  });

  it('takes the answer to the last question, whichever comes first', async () => {
    start();
    const waiting: ((value: HistoryPage) => void)[] = [];
    bridge.history = () => new Promise((answer) => waiting.push(answer));
    history.ask({ tools: ['a'] });
    history.ask({ tools: ['b'] });
    waiting[1]?.(page(rows(2)));
    waiting[0]?.(page(rows(1)));
    await settle();
    expect(idsOf(history.rows)).toEqual(['i2']);
    expect(history.shown.tools).toEqual(['b']);
  });

  it('waits until a text was written', async () => {
    start([row(1, { subject: 'src/cart.ts' }), row(0)]);
    for (const text of ['c', 'ca', 'cart']) history.ask({ text });
    await settle(150);
    expect(asked()).toEqual([]);
    await settle();
    expect(asked().map((query) => query.text)).toEqual(['cart']);
    expect(idsOf(history.rows)).toEqual(['i1']);
  });

  it('says what is wrong and keeps what was read', async () => {
    start(rows(1));
    await history.search();
    bridge.history = async () => {
      throw new BridgeError('storage', 'The store cannot be read.');
    };
    await history.search();
    expect(history.trouble).toBe('The store cannot be read.');
    expect(idsOf(history.rows)).toEqual(['i1']);
    expect(history.reading).toBe(false);
  });

  it('counts what came and tells what changed, without moving a row, in one reading for many hints', async () => {
    start([row(2, { state: 'waiting_for_approval' }), row(1)]);
    history.ask({ endings: ['waiting'] });
    await settle();
    expect(idsOf(history.rows)).toEqual(['i2']);
    bridge.world.history = [row(3, { state: 'waiting_for_approval' }), row(2, { state: 'denied' }), row(1)];
    const before = asked().length;
    for (let i = 0; i < 1_000; i++)
      history.hinted([{ n: '1', type: 'tool.call.denied', sessionId: 's1', ref: 'i2', at: '' }]);
    await settle();
    expect(asked().length).toBe(before + 1);
    expect(history.newer).toBe(1);
    expect(history.rows.map((one) => [one.call.id, one.call.state])).toEqual([['i2', 'denied']]);
    await history.search();
    expect(history.newer).toBe(0);
    expect(idsOf(history.rows)).toEqual(['i3']);
  });

  it('shows what comes at once while it shows nothing', async () => {
    start();
    history.follow();
    await settle();
    bridge.world.history = rows(1);
    history.hinted([{ n: '1', type: 'tool.call.proposed', sessionId: 's1', ref: 'i1', at: '' }]);
    await settle();
    expect(idsOf(history.rows)).toEqual(['i1']);
  });

  it('moves among the calls and stays at the ends', async () => {
    start(rows(3, 2, 1));
    await history.search();
    expect([1, 1, 1, 1, -1].map((by) => history.move(by))).toEqual(['i3', 'i2', 'i1', 'i1', 'i2']);
  });
});

describe('a story', () => {
  const open = async (n: number) => {
    start();
    const story = new Story(live);
    await story.open(historyRow({ id: `c${n}` }, { place: `c${n}` }));
    await settle();
    return story;
  };

  it('is read from a call on, step by step', async () => {
    const story = await open(4);
    expect(bridge.of('sessionPage')).toEqual([{ sessionId: 's1', where: 'around', cursor: 'c4' }]);
    expect([story.current, story.openId, story.detail?.call.id]).toEqual(['c4', 'c4', 'c4']);
    await story.step(1);
    expect([story.current, story.openId, story.detail?.call.id]).toEqual(['c5', 'c5', 'c5']);
    await story.toggle('c5');
    expect([story.current, story.openId]).toEqual(['c5', '']);
    await story.open(historyRow({ id: 'c7' }, { place: 'c7' }));
    expect(bridge.of('sessionPage').length).toBe(1);
    expect(story.openId).toBe('c7');
    story.close();
    expect([story.opened, story.items.length]).toEqual([false, 0]);
  });

  it('tells of what changes in its session, and of no other', async () => {
    const story = await open(4);
    bridge.world.views[0]!.items[4] = callItem({ id: 'c4', state: 'succeeded' });
    bridge.sessionChanges = async ({ since }) => {
      expect(since).toBe('9');
      return { session: session(), items: [callItem({ id: 'c4', state: 'succeeded' })], seq: '10', missed: false };
    };
    story.hinted([{ n: '1', type: 'tool.call.completed', sessionId: 'other', ref: 'c4', at: '' }]);
    await settle();
    expect(story.items[4]?.call?.state).toBe('running');
    story.hinted([{ n: '2', type: 'tool.call.completed', sessionId: 's1', ref: 'c4', at: '' }]);
    await settle();
    expect(story.items[4]?.call?.state).toBe('succeeded');
  });

  it('is read anew where too much has changed to tell, and misses nothing that comes meanwhile', async () => {
    const story = await open(4);
    bridge.world.views[0]!.items[4] = callItem({ id: 'c4', state: 'succeeded' });
    let go = () => {};
    const changes = vi.spyOn(bridge, 'sessionChanges').mockImplementation(async () => {
      await new Promise<void>((resolve) => (go = resolve));
      return { session: session(), items: [], seq: '99', missed: true };
    });
    const hint = () => story.hinted([{ n: '1', type: 'tool.call.completed', sessionId: 's1', ref: 'c4', at: '' }]);
    hint();
    hint();
    go();
    await settle();
    go();
    await settle();
    expect(changes).toHaveBeenCalledTimes(2);
    expect(story.items[4]?.call?.state).toBe('succeeded');
  });

  it('says what is wrong', async () => {
    start();
    const story = new Story(live);
    await story.open(historyRow({ id: 'gone' }, { place: 'gone', sessionId: 'gone' }));
    await settle();
    expect(story.detailTrouble).toBe('It is not there any more.');
    expect(story.trouble).not.toBe('');
  });
});
