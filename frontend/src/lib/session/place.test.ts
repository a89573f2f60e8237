import { tick } from 'svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { callItem, desk, session } from '../../test/make';
import { FakeBridge } from '../bridge/fake';
import { Live } from '../bridge/live.svelte';
import { type List, Place } from './place.svelte';
import { Story } from './story.svelte';
import { maxLines } from './timeline';

const view = 500;
const line = 20;

let story: Story;
let place: Place;
let now: number;
let went: [number, string | undefined][];

const linesOf = (count: number, from = 0) => Array.from({ length: count }, (_, i) => callItem({ id: `c${from + i}` }));

/** Lets the timeline hold some lines, as a reading would. */
function hold(count: number, { from = 0, before = '', after = '' } = {}) {
  story.timeline = { id: 's1', items: linesOf(count, from), before, after, seq: '1' };
  place.grew();
}

/** Everything that was begun is done. */
async function rest() {
  for (let i = 0; i < 10; i++) await tick();
}

beforeEach(async () => {
  const one = session();
  const world = { snapshot: { desk: desk(), sessions: [one], approvals: [], trust: [] }, cards: [], views: [] };
  const live = new Live(new FakeBridge({ ...world, details: [], trusts: [], tools: [] }));
  story = new Story(live, one.id);
  now = 10_000;
  went = [];
  place = new Place(story, () => now);
  const list: List = {
    getItemSize: (at) => (at === 7 ? view + 1 : line),
    getViewportSize: () => view,
    getScrollSize: () => place.items.length * line,
    scrollToIndex: (at, options) => void went.push([at, options?.align]),
  };
  place.list = list;
  hold(100);
  await rest();
});

describe('the end of a timeline', () => {
  it('is where it opens, and is followed as lines come', async () => {
    expect(went).toEqual([[99, 'end']]);
    hold(103);
    await rest();
    expect(went.at(-1)).toEqual([102, 'end']);
    expect(place.waiting).toBe(0);
  });

  it('is not gone to under the pointer, and is when the pointer has left', async () => {
    place.enter();
    hold(103);
    await rest();
    expect([went.length, place.waiting]).toEqual([1, 3]);
    place.leave();
    await rest();
    expect([went.at(-1), place.waiting]).toEqual([[102, 'end'], 0]);
  });

  it('is left by a person who scrolls, and found again by one', async () => {
    now += 100;
    place.scrolled(200);
    expect(place.following).toBe(true);
    place.touch();
    place.scrolled(200);
    expect(place.following).toBe(false);
    hold(103);
    await rest();
    expect([went.length, place.waiting]).toEqual([1, 3]);
    place.scrolled(103 * line - view);
    expect([place.following, place.waiting]).toEqual([true, 0]);
    hold(104);
    await rest();
    expect(went.at(-1)).toEqual([103, 'end']);
  });

  it('is left by a person who goes up, before the list has moved', async () => {
    place.up();
    hold(103);
    place.scrolled(100 * line - view);
    hold(104);
    await rest();
    expect([went.length, place.following, place.waiting]).toEqual([1, false, 4]);
  });

  it('is left by a scroll of any kind long after lines came', () => {
    now += 401;
    place.scrolled(200);
    expect(place.following).toBe(false);
  });

  it('is not said to be reached where more of the session is not held', async () => {
    hold(100, { after: '101' });
    const newer = vi.spyOn(story, 'newer').mockResolvedValue(false);
    place.scrolled(100 * line - view);
    await rest();
    expect([place.following, newer.mock.calls.length]).toEqual([false, 1]);
  });

  it('is gone to after old lines were let go, with the list told to keep its place meanwhile', async () => {
    const shifts: boolean[] = [];
    const trim = vi.spyOn(story, 'trim').mockImplementation((side) => {
      shifts.push(place.shift);
      expect(side).toBe('start');
      hold(maxLines, { from: 100 });
    });
    hold(maxLines + 100);
    await rest();
    expect(trim).toHaveBeenCalledOnce();
    expect([shifts, place.shift]).toEqual([[true], false]);
    expect(went.at(-1)).toEqual([maxLines - 1, 'end']);
  });

  it('is read first where it is not held', async () => {
    hold(100, { after: '101' });
    const newest = vi.spyOn(story, 'newest').mockImplementation(async () => hold(50, { from: 200 }));
    await place.showEnd();
    expect(newest).toHaveBeenCalledOnce();
    expect(went.at(-1)).toEqual([49, 'end']);
  });
});

describe('the lines before', () => {
  beforeEach(() => {
    hold(100, { before: '2' });
    now += 500;
  });

  it('are read once by whoever goes up, and not by whoever follows the end', async () => {
    let done = (_: boolean) => {};
    const older = vi.spyOn(story, 'older').mockImplementation(() => new Promise((resolve) => (done = resolve)));
    now -= 450;
    place.scrolled(100);
    await rest();
    expect(older).not.toHaveBeenCalled();
    place.touch();
    place.scrolled(100);
    place.scrolled(80);
    await rest();
    expect(older).toHaveBeenCalledOnce();
    expect(place.shift).toBe(true);
    done(true);
    await rest();
    expect(place.shift).toBe(false);
    place.scrolled(60);
    await rest();
    expect(older).toHaveBeenCalledTimes(2);
  });

  it('begin where the session does', async () => {
    const oldest = vi.spyOn(story, 'oldest').mockImplementation(async () => hold(100));
    await place.showStart();
    expect(oldest).toHaveBeenCalledOnce();
    expect([went.at(-1), place.following]).toEqual([[0, 'start'], false]);
  });
});

describe('a line', () => {
  it('that the keys are on comes into view, and the end is followed from the last lines alone', () => {
    place.show('c50');
    expect([went.at(-1), place.following]).toEqual([[50, 'nearest'], false]);
    place.show('c98');
    expect([went.at(-1), place.following]).toEqual([[98, 'nearest'], true]);
    place.show('nowhere');
    expect(went).toHaveLength(3);
  });

  it('that was looked for comes into the middle', async () => {
    await place.find('c50');
    expect([went.at(-1), place.following]).toEqual([[50, 'center'], false]);
  });

  it('that was opened comes into view whole, or from its beginning', () => {
    place.reveal('c6');
    expect(went.at(-1)).toEqual([6, 'nearest']);
    place.reveal('c7');
    expect(went.at(-1)).toEqual([7, 'start']);
  });
});
