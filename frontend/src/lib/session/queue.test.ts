import { beforeEach, describe, expect, it, vi } from 'vitest';

import { desk, session } from '../../test/make';
import { BridgeError } from '../bridge/bridge';
import { FakeBridge } from '../bridge/fake';
import { Live } from '../bridge/live.svelte';
import { Queue } from './queue.svelte';

describe('follow-ups that wait', () => {
  let bridge: FakeBridge;
  let live: Live;
  let queue: Queue;

  async function busy(is: boolean) {
    bridge.world.snapshot.sessions = [session({ busy: is })];
    await live.refresh();
    queue.follow();
    await vi.waitFor(() => undefined);
  }

  beforeEach(async () => {
    bridge = new FakeBridge({
      snapshot: { desk: desk(), sessions: [session({ busy: true })], approvals: [], trust: [] },
      cards: [],
      views: [],
      details: [],
      trusts: [],
      tools: [],
    });
    live = new Live(bridge);
    live.link = 'up';
    queue = new Queue(live);
    await live.refresh();
    queue.add('s1', 'first');
    queue.add('s1', 'second');
  });

  it('are sent one by one, each when the turn before it has ended', async () => {
    queue.follow();
    expect(bridge.of('startTask')).toEqual([]);
    vi.spyOn(bridge, 'startTask').mockImplementation(async (task) => {
      bridge.asked.push({ method: 'startTask', argument: task.text });
      bridge.world.snapshot.sessions = [session({ busy: true })];
      return 's1';
    });
    await busy(false);
    await vi.waitFor(() => expect(queue.of('s1').map((one) => one.text)).toEqual(['second']));
    expect(bridge.of('startTask')).toEqual(['first']);
    await busy(false);
    await vi.waitFor(() => expect(queue.of('s1')).toEqual([]));
    expect(bridge.of('startTask')).toEqual(['first', 'second']);
  });

  it('can be taken out', () => {
    queue.remove(queue.of('s1')[0]?.id ?? 0);
    expect(queue.of('s1').map((one) => one.text)).toEqual(['second']);
  });

  it('stay where they are after the person stopped the turn, until they are let go', async () => {
    queue.hold('s1');
    await busy(false);
    expect(bridge.of('startTask')).toEqual([]);
    queue.release('s1');
    await vi.waitFor(() => expect(bridge.of('startTask')).toHaveLength(2));
  });

  it('say why they could not be sent, and wait again for a turn that began meanwhile', async () => {
    const start = vi.spyOn(bridge, 'startTask').mockRejectedValueOnce(new BridgeError('busy', 'At work.'));
    await busy(false);
    await vi.waitFor(() => expect(start).toHaveBeenCalledTimes(1));
    await vi.waitFor(() => expect(queue.of('s1')).toHaveLength(2));
    expect(queue.trouble).toBe('');
    start.mockRejectedValueOnce(new BridgeError('unavailable', 'No model is set up.'));
    await vi.waitFor(() => {
      queue.follow();
      expect(queue.trouble).toBe('No model is set up.');
    });
    const asked = start.mock.calls.length;
    queue.follow();
    expect(start).toHaveBeenCalledTimes(asked);
  });
});
