import { beforeEach, describe, expect, it, vi } from 'vitest';

import { callItem, desk, session } from '../../test/make';
import { FakeBridge } from '../bridge/fake';
import { Live } from '../bridge/live.svelte';
import { Sessions } from './sessions.svelte';
import { Story } from './story.svelte';
import { letGo, maxLines, only, takeChanges, takeNewer, takeNewest, takeOlder, type Timeline } from './timeline';

const line = (n: number, over = {}) => ({ ...callItem({ id: `l${n}`, ...over }), cursor: String(n) });
const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => line(from + i));
const page = (from: number, to: number, before = '', after = '', seq = '99') => ({
  session: session(),
  items: lines(from, to),
  before,
  after,
  seq,
});
const ids = (timeline: Timeline | null) => timeline?.items.map((item) => item.id) ?? [];
const changes = (items: ReturnType<typeof line>[], seq = '100') => ({ session: session(), items, seq, missed: false });

describe('a stretch of lines', () => {
  it('grows at both sides and knows where it ends', () => {
    const middle = only(page(10, 12, '10', '11'));
    const older = takeOlder(middle, page(8, 10, '8'));
    expect(older).toMatchObject({ before: '8', after: '11' });
    const newer = takeNewer(older, page(12, 14, '12', ''));
    expect(newer).toMatchObject({ before: '8', after: '' });
    expect(ids(newer)).toEqual(['l8', 'l9', 'l10', 'l11', 'l12', 'l13']);
  });

  it('tells only up to the earliest of its readings', () => {
    expect(takeOlder(only(page(10, 12, '10', '', '50')), page(8, 10, '', '', '70')).seq).toBe('50');
    expect(takeNewer(only(page(10, 12, '10', '', '50')), page(12, 14, '', '', '40')).seq).toBe('40');
  });

  it('lets go of what is far away, and can read it again', () => {
    const long = only(page(0, maxLines + 50));
    const start = letGo(long, 'start');
    expect(start.items).toHaveLength(maxLines);
    expect(start.before).toBe('50');
    const end = letGo(long, 'end');
    expect(end.after).toBe(String(maxLines - 1));
    expect(letGo(start, 'start')).toBe(start);
  });

  it('takes the new state of a line it holds and puts new ones at the end', () => {
    const taken = takeChanges(only(page(1, 3)), changes([line(1, { state: 'failed' }), line(9)]));
    expect(ids(taken.timeline)).toEqual(['l1', 'l2', 'l9']);
    expect(taken.timeline.items[0]?.call?.state).toBe('failed');
    expect(taken).toMatchObject({ added: 1, past: 0 });
    expect(taken.timeline.seq).toBe('100');
  });

  it('leaves a gap neither at its end nor before its beginning', () => {
    const away = takeChanges(only(page(5, 7, '5', '6')), changes([line(2), line(9)]));
    expect(ids(away.timeline)).toEqual(['l5', 'l6']);
    expect(away).toMatchObject({ added: 0, past: 1 });
    const atEnd = takeChanges(only(page(5, 7, '5', '')), changes([line(2), line(9)]));
    expect(ids(atEnd.timeline)).toEqual(['l5', 'l6', 'l9']);
  });

  it('stands alone when the newest page does not touch it', () => {
    expect(ids(takeNewest(only(page(1, 3)), page(7, 9, '7')))).toEqual(['l7', 'l8']);
  });
});

describe('a story', () => {
  let bridge: FakeBridge;
  let live: Live;
  let story: Story;

  beforeEach(async () => {
    const view = { session: session(), items: lines(1, 251), before: '', after: '', seq: '250' };
    bridge = new FakeBridge({
      snapshot: { desk: desk(), sessions: [session()], approvals: [], trust: [] },
      cards: [],
      views: [view],
      details: [],
      trusts: [],
      tools: [],
    });
    live = new Live(bridge);
    live.link = 'up';
    story = new Story(live, 's1');
    await story.newest();
  });

  it('reads its newest page once, and then only what changed', async () => {
    expect(ids(story.timeline)).toHaveLength(100);
    bridge.tell('s1', line(250, { state: 'failed' }));
    bridge.tell('s1', line(251));
    await story.follow();
    expect(bridge.of('sessionPage')).toHaveLength(1);
    expect(bridge.of('sessionChanges')).toEqual([{ sessionId: 's1', since: '250' }]);
    expect(ids(story.timeline).slice(-2)).toEqual(['l250', 'l251']);
    expect(story.timeline?.items.at(-2)?.call?.state).toBe('failed');
    expect([...story.changed].sort()).toEqual(['l250', 'l251']);
  });

  it('takes a hint about its own session alone, and reads all of it again after one about trust', async () => {
    story.hinted([{ n: '1', type: 'message.added', sessionId: 'another', ref: '', at: '' }]);
    await Promise.resolve();
    expect(bridge.of('sessionChanges')).toHaveLength(0);
    story.hinted([{ n: '2', type: 'message.added', sessionId: 's1', ref: '', at: '' }]);
    story.hinted([{ n: '3', type: 'trust.answered', sessionId: '', ref: '', at: '' }]);
    await vi.waitFor(() => expect(bridge.of('sessionPage')).toHaveLength(2));
  });

  it('reads everything again when too much happened to be told', async () => {
    for (let n = 251; n < 500; n++) bridge.tell('s1', line(n));
    await story.follow();
    expect(bridge.of('sessionPage')).toHaveLength(2);
    expect(ids(story.timeline).at(-1)).toBe('l499');
  });

  it('reads on both ways and counts what lies past its end', async () => {
    await story.around('125');
    expect(story.atEnd).toBe(false);
    await story.older();
    await story.newer();
    expect(ids(story.timeline)).toHaveLength(250);
    expect(await story.older()).toBe(false);
    await story.around('50');
    bridge.tell('s1', line(251));
    await story.follow();
    expect(story.past).toBe(1);
    await story.newest();
    expect(story.past).toBe(0);
  });

  it('takes nothing of a reading that was given up', async () => {
    const before = story.timeline;
    const reading = story.older();
    expect(story.reading).toBe('Reading older lines');
    story.cancel();
    expect(await reading).toBe(false);
    expect(story.timeline).toBe(before);
    expect(story.cancelled).toBe(false);
    const fresh = new Story(live, 's1');
    const first = fresh.newest();
    fresh.cancel();
    await first;
    expect(fresh.cancelled).toBe(true);
    expect(fresh.timeline).toBeNull();
  });

  it('says when it could not be read', async () => {
    const none = new Story(live, 'none');
    await none.newest();
    expect(none.trouble).toBe('It is not there any more.');
    expect(none.reading).toBe('');
  });
});

describe('the search of a session', () => {
  it('finds lines that were not read and goes to them', async () => {
    const view = {
      session: session(),
      items: lines(1, 301).map((item, i) =>
        i % 100 === 7 && item.call ? { ...item, call: { ...item.call, subject: 'needle.go' } } : item,
      ),
      before: '',
      after: '',
      seq: '300',
    };
    const bridge = new FakeBridge({
      snapshot: { desk: desk(), sessions: [session()], approvals: [], trust: [] },
      cards: [],
      views: [view],
      details: [],
      trusts: [],
      tools: [],
    });
    const live = new Live(bridge);
    live.link = 'up';
    const sessions = new Sessions(live);
    await sessions.open('s1');
    const { finder } = sessions;
    finder.show();
    finder.type('needle');
    await finder.step(1);
    expect(finder).toMatchObject({ total: 3, at: 0, settled: true });
    expect(sessions.current).toBe('l208');
    await finder.step(1);
    expect(sessions.current).toBe('l108');
    expect(sessions.timeline?.items.some((item) => item.id === 'l108')).toBe(true);
    await finder.step(-1);
    expect(sessions.current).toBe('l208');
    finder.type('nothing');
    await finder.step(1);
    expect(finder).toMatchObject({ total: 0, at: -1 });
    expect(finder.searched).toMatch(/^Looked through/);
    finder.close();
    expect(finder.words).toBe('');
  });
});
