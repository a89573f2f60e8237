import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { card, desk, session } from '../../test/make';
import { BridgeError } from '../bridge/bridge';
import type { ApprovalCard } from '../bridge/dto';
import { FakeBridge } from '../bridge/fake';
import { Live } from '../bridge/live.svelte';
import { Inbox } from './inbox.svelte';

const cards = () => ['a1', 'a2', 'a3'].map((id) => card({ id, invocationId: `i-${id}` }, { hash: `hash-${id}` }));
const away = new BridgeError('internal', 'The card could not be read.');

let bridge: FakeBridge;
let inbox: Inbox;
/** What was asked for is told by the test from here on. */
let asked: { id: string; resolve: (card: ApprovalCard) => void; reject: (cause: unknown) => void }[];

const settle = () => vi.advanceTimersByTimeAsync(1_000);
const keys = () => inbox.entries.map((entry) => entry.key);

/** From here on cards come when the test says so. */
function hold() {
  asked = [];
  bridge.approval = (id) => new Promise((resolve, reject) => asked.push({ id, resolve, reject }));
}

const give = async (all = bridge.world.cards) => {
  for (const { id, resolve } of asked.splice(0))
    resolve(structuredClone(all.find(({ row }) => row.id === id) as ApprovalCard));
  await settle();
};
const fail = async () => {
  for (const { reject } of asked.splice(0)) reject(away);
  await settle();
};

beforeEach(async () => {
  vi.useFakeTimers();
  const world = { views: [], details: [], trusts: [], tools: [], cards: cards() };
  const snapshot = { desk: desk(), sessions: [session()], approvals: world.cards.map(({ row }) => row), trust: [] };
  bridge = new FakeBridge({ ...world, snapshot });
  const live = new Live(bridge);
  inbox = new Inbox(live);
  live.start();
  await settle();
  inbox.follow();
  await settle();
});
afterEach(() => vi.useRealTimers());

describe('the open card, compared with what it shows again and again', () => {
  it('is not asked for anew while an answer is on its way', async () => {
    hold();
    for (let i = 0; i < 5; i++) inbox.look();
    expect(asked).toHaveLength(1);
    await give();
    inbox.look();
    expect(asked).toHaveLength(1);
  });

  it('says that it could not be read until it could', async () => {
    hold();
    inbox.look();
    await fail();
    expect(inbox.trouble).toBe('The card could not be read.');
    inbox.look();
    await give();
    expect(inbox.trouble).toBe('');
  });
});

describe('a batch', () => {
  const pick = () => {
    for (const key of keys()) inbox.batch.toggle(key);
  };
  const review = async () => {
    pick();
    await inbox.batch.review();
    await settle();
  };

  it('is not asked for anew while it is read, and stays the same while nothing changes', async () => {
    await review();
    const { cards } = inbox.batch;
    hold();
    for (let i = 0; i < 5; i++) void inbox.batch.look();
    expect(asked.map(({ id }) => id)).toEqual(['a1', 'a2', 'a3']);
    await give();
    expect(inbox.batch.cards).toBe(cards);
    void inbox.batch.look();
    expect(asked).toHaveLength(3);
  });

  it('says that it could not be read until it could, and of an answer that failed goes on saying so', async () => {
    await review();
    hold();
    void inbox.batch.look();
    await fail();
    expect(inbox.batch.trouble).toBe('The card could not be read.');
    void inbox.batch.look();
    await give();
    expect(inbox.batch.trouble).toBe('');
    inbox.batch.trouble = 'The answer was not taken.';
    void inbox.batch.look();
    await give();
    expect(inbox.batch.trouble).toBe('The answer was not taken.');
  });

  it('that was dropped does not drop the one that was selected since', async () => {
    pick();
    const gone = bridge.world.snapshot.approvals.filter(({ id }) => id !== 'a2');
    bridge.world.snapshot.approvals = gone;
    hold();
    await inbox.live.refresh();
    inbox.follow();
    expect(inbox.batch.picked).toEqual([]);
    pick();
    await fail();
    expect(inbox.batch.picked).toEqual(['call:a1', 'call:a3']);
    expect(inbox.batch.stops).toEqual([]);
  });
});
