import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { before, callItem, callRow, card, desk, detail, session, textPart } from '../../test/make';
import { FakeBridge } from '../bridge/fake';
import { Live } from '../bridge/live.svelte';
import CallLine from './CallLine.svelte';
import CallOpen from './CallOpen.svelte';
import Composer from './Composer.svelte';
import FindBar from './FindBar.svelte';
import { groupsOf, heldGroups } from './groups';
import MessageLine from './MessageLine.svelte';
import SessionList from './SessionList.svelte';
import { Sessions } from './sessions.svelte';

let bridge: FakeBridge;
let live: Live;
let sessions: Sessions;

afterEach(cleanup);

beforeEach(async () => {
  const one = session({ busy: true });
  bridge = new FakeBridge({
    snapshot: { desk: desk(), sessions: [one], approvals: [], trust: [] },
    cards: [],
    views: [{ session: one, items: [callItem({ id: 'c1' })], before: '', after: '', seq: '5' }],
    details: [detail(callRow({ id: 'c1' }), { read: [textPart('what came back')] })],
    trusts: [],
    tools: [],
  });
  live = new Live(bridge);
  live.link = 'up';
  await live.refresh();
  sessions = new Sessions(live);
  await sessions.open('s1');
});

describe('the line of a call', () => {
  const draw = (over: Parameters<typeof callRow>[0], onstop = vi.fn()) => {
    const now = Date.now();
    render(CallLine, { call: callRow(over), now, current: false, open: false, ontoggle: vi.fn(), onstop });
    return onstop;
  };

  it('says how long a running call has run, and stops it', async () => {
    const started = new Date(Date.now() - 72_500).toISOString();
    const onstop = draw({ state: 'running', figure: '', startedAt: started, at: before(900), canStop: true });
    expect(screen.getByText('1 min 12 s')).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: /^Stop Read/ }));
    expect(onstop).toHaveBeenCalledOnce();
  });

  it('offers no stop for a call that another program runs, or that waits', () => {
    draw({ state: 'running', canStop: false });
    draw({ state: 'waiting_for_approval', canStop: true });
    expect(screen.queryByRole('button', { name: /^Stop/ })).toBeNull();
  });

  it('counts what it leaves out of a subject', () => {
    draw({ subject: 'x'.repeat(400), subjectLeft: 1_000_000 });
    expect(screen.getByText('and 1,000,240 more characters')).toBeTruthy();
  });
});

describe('an opened call', () => {
  it('is copied as the part that is shown, and says so when it cannot be', async () => {
    const copied: string[] = [];
    let allowed = true;
    const writeText = (text: string) => (allowed ? void copied.push(text) : Promise.reject(new Error('denied')));
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
    await sessions.toggle('c1');
    render(CallOpen, { opened: sessions });
    const copy = () => fireEvent.click(screen.getByRole('button', { name: /^Copy/ }));
    await copy();
    await fireEvent.click(screen.getByRole('button', { name: 'Arguments' }));
    await copy();
    // A change was asked for by its key, and there is none.
    sessions.tab = 'diff';
    await copy();
    expect(copied).toEqual(['what came back', sessions.detail?.arguments, 'what came back']);
    allowed = false;
    await copy();
    await vi.waitFor(() => expect(sessions.trouble).toContain('could not be copied'));
    allowed = true;
    await copy();
    await vi.waitFor(() => expect(sessions.trouble).toBe(''));
    vi.unstubAllGlobals();
  });

  it('keeps the part that is shown when more comes', async () => {
    bridge.world.details = [detail(callRow({ id: 'c1', state: 'running' }), { endedAt: '', decidedBy: 'you' })];
    await sessions.toggle('c1');
    render(CallOpen, { opened: sessions });
    expect(screen.getByRole('button', { name: 'Arguments', pressed: true })).toBeTruthy();
    bridge.world.details = [detail(callRow({ id: 'c1' }), { read: [textPart('came')], decidedBy: 'you' })];
    sessions.news(new Set(['c1']));
    await vi.waitFor(() => expect(sessions.detail?.read).toHaveLength(1));
    expect(screen.getByRole('button', { name: 'Arguments', pressed: true })).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: 'Output' }));
    expect(screen.getByRole('region', { name: 'Text that the model read' }).textContent).toContain('came');
  });

  it('is not read again for news about another', async () => {
    await sessions.toggle('c1');
    const read = vi.spyOn(bridge, 'call');
    sessions.news(new Set(['c2']));
    expect(read).not.toHaveBeenCalled();
  });

  it('says who let it run and when, and where the whole output is', async () => {
    bridge.world.details = [
      detail(callRow({ id: 'c1' }), {
        read: [textPart('a\nb')],
        decidedBy: 'you',
        spillPath: '/home/you/.countersign/output/s1/bash-c1.txt',
        outputBytes: '117658',
        omitted: '1,143 lines left out of 1,396',
      }),
    ];
    await sessions.toggle('c1');
    const { container } = render(CallOpen, { opened: sessions });
    expect(container.textContent).toMatch(/Allowed by you, \d\d:\d\d:\d\d/);
    const full = screen.getByRole('region', { name: 'Full output' });
    expect(full.textContent).toContain('114.9 KB');
    expect(full.textContent).toContain('1,143 lines left out of 1,396: the model did not read them');
    expect(full.textContent).toContain('/home/you/.countersign/output/s1/bash-c1.txt');
    expect(screen.getByRole('region', { name: 'What the model read' }).textContent).toContain('2 lines, 3 bytes');
  });

  it('says that a denied call was denied', async () => {
    bridge.world.details = [detail(callRow({ id: 'c1', state: 'denied' }), { decidedBy: 'you' })];
    await sessions.toggle('c1');
    expect(render(CallOpen, { opened: sessions }).container.textContent).toContain('Denied by you');
  });

  it('does not say that a call was allowed which nobody answered', async () => {
    const undecided = 'Asked. The caller left before an answer.';
    bridge.world.details = [detail(callRow({ id: 'c1', state: 'cancelled' }), { decidedBy: '', undecided })];
    await sessions.toggle('c1');
    const text = render(CallOpen, { opened: sessions }).container.textContent;
    expect(text).toContain(undecided);
    expect(text).not.toMatch(/Allowed|Ended before/);
  });

  it('says who answered after the caller had left, and when', async () => {
    bridge.world.details = [
      detail(callRow({ id: 'c1', state: 'denied' }), {
        decidedBy: 'you',
        verdict: 'Later denied',
        undecided: 'Asked. The caller left before the answer.',
      }),
    ];
    await sessions.toggle('c1');
    expect(render(CallOpen, { opened: sessions }).container.textContent).toMatch(
      /Asked\. The caller left before the answer\.\s+Later denied by you, \d\d:\d\d:\d\d/,
    );
  });
});

describe('a message', () => {
  const long = 'word '.repeat(50_000);
  const item = {
    id: 'm1',
    cursor: '3',
    at: before(5),
    call: null,
    message: { role: 'user', text: long.slice(0, 4_000), left: long.length - 4_000, model: '' },
  };

  it('shows its beginning, then more, then all of it', async () => {
    bridge.world.said = { m1: long };
    bridge.world.views[0]!.items.push(item);
    const { container } = render(MessageLine, { item, message: item.message, from: sessions });
    expect(container.textContent).toContain('246,000 more characters');
    await fireEvent.click(screen.getByRole('button', { name: 'Show 20,000 more' }));
    await screen.findByText(/226,000 more characters/);
    await fireEvent.click(screen.getByRole('button', { name: 'Show all' }));
    await vi.waitFor(() => expect(container.textContent).not.toContain('more characters'));
    expect(bridge.of('message')).toEqual(['m1']);
    expect(sessions.said.get('m1')?.text).toBe(long);
  });

  it('says when the rest cannot be read', async () => {
    vi.spyOn(bridge, 'message').mockRejectedValue(new Error('x'));
    render(MessageLine, { item, message: item.message, from: sessions });
    await fireEvent.click(screen.getByRole('button', { name: 'Show all' }));
    await screen.findByText('The desk could not do this, and gave no reason.');
  });
});

describe('the composer', () => {
  it('says that an empty task was not sent, until something is written', async () => {
    render(Composer, { sessions });
    const field = screen.getByRole('textbox', { name: 'Task for the built-in agent' });
    for (const send of [
      () => fireEvent.keyDown(field, { key: 'Enter' }),
      () => fireEvent.click(screen.getByRole('button', { name: 'Queue' })),
    ]) {
      await fireEvent.input(field, { target: { value: ' ' } });
      expect(screen.queryByText(/Nothing was sent/)).toBeNull();
      await send();
      expect(screen.getByRole('status').textContent).toBe('Nothing was sent: write what the agent should do.');
      expect(document.activeElement).toBe(field);
    }
    expect(bridge.of('startTask')).toEqual([]);
  });

  it('queues a follow-up while a turn runs, says where it is kept, and takes it out', async () => {
    render(Composer, { sessions });
    const field = screen.getByRole('textbox', { name: 'Task for the built-in agent' });
    await fireEvent.input(field, { target: { value: 'then run the tests' } });
    await fireEvent.keyDown(field, { key: 'Enter' });
    expect(bridge.of('startTask')).toEqual([]);
    const queue = screen.getByRole('list', { name: 'Queued follow-ups' });
    expect(queue.textContent).toContain('then run the tests');
    expect(queue.textContent?.replace(/\s+/g, ' ')).toContain('The queue is kept on this page only.');
    await fireEvent.click(within(queue).getByRole('button', { name: /^Remove from the queue/ }));
    expect(screen.queryByRole('list', { name: 'Queued follow-ups' })).toBeNull();
  });

  it('stops the turn and holds what is queued', async () => {
    render(Composer, { sessions });
    sessions.queue.add('s1', 'later');
    await fireEvent.click(await screen.findByRole('button', { name: 'Stop turn Esc' }));
    expect(bridge.of('stopTurn')).toEqual(['s1']);
    expect((await screen.findByRole('list', { name: 'Queued follow-ups' })).textContent).toContain(
      'You stopped the turn',
    );
    expect(screen.getByRole('button', { name: 'Send now' })).toBeTruthy();
  });
});

describe('the list of sessions', () => {
  it('keeps its order while the pointer is over it', async () => {
    const rows = [1, 2, 3].map((n) => session({ id: `s${n}`, title: `Session ${n}`, updatedAt: before(n * 100) }));
    bridge.world.snapshot.sessions = rows;
    await live.refresh();
    render(SessionList, { sessions });
    const names = () => screen.getAllByRole('link').map((one) => /Session \d/.exec(one.textContent ?? '')?.[0]);
    const box = screen.getByRole('region', { name: 'All sessions' });
    await fireEvent.pointerEnter(box, { pointerType: 'mouse' });
    bridge.world.snapshot.sessions = [
      session({ id: 's4', title: 'Session 4', updatedAt: before(0) }),
      rows[0]!,
      rows[1]!,
      { ...rows[2]!, updatedAt: before(1) },
    ];
    await live.refresh();
    await screen.findByText('1 more');
    expect(names()).toEqual(['Session 1', 'Session 2', 'Session 3']);
    await fireEvent.pointerLeave(box);
    expect(names()).toEqual(['Session 4', 'Session 3', 'Session 1', 'Session 2']);
  });

  it('shows the newest state of what it keeps in place', () => {
    const shown = groupsOf([session({ id: 's1', waiting: 0 })]);
    expect(heldGroups(shown, groupsOf([session({ id: 's1', waiting: 2 })]))[0]?.sessions[0]?.waiting).toBe(2);
  });
});

describe('the bar of the search', () => {
  it('counts, says what was looked through, and steps', async () => {
    const { finder } = sessions;
    finder.show();
    finder.type('policy');
    await finder.step(1);
    const { container } = render(FindBar, { finder });
    expect(container.textContent).toContain('1 of 1');
    expect(container.textContent).toContain('Looked through everything that was said');
    expect(screen.getByRole('button', { name: 'The match before' })).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: /^Done/ }));
    expect(finder.open).toBe(false);
  });

  it('says when nothing was found', async () => {
    sessions.finder.type('zzz');
    await sessions.finder.step(1);
    expect(render(FindBar, { finder: sessions.finder }).container.textContent).toContain('No line holds these words.');
  });
});

describe('the list of sessions', () => {
  it('says that a session waits for the person, and not that it works, while its call does', async () => {
    const approval = card({ sessionId: 's1' }).row;
    render(SessionList, { sessions });
    const said = () => screen.getByRole('link').textContent;
    expect(said()).toContain('Working');
    const question = { root: '/w', workspace: '/w', askedBy: 'Agent', askerKind: 'agent', createdAt: before(1) };
    const trust = { ...question, sessionId: 's1', opens: [], shut: [], postpone: false, waiting: 1 };
    for (const [approvals, questions, words] of [
      [[approval], [], 'Waiting for you'],
      [[], [trust], 'Waiting for you'],
      [[{ ...approval, sessionId: 's2' }], [{ ...trust, sessionId: 's2' }], 'Working'],
      [[{ ...approval, callerLeft: true }], [{ ...trust, waiting: 0 }], 'Working'],
    ] as const) {
      Object.assign(bridge.world.snapshot, { approvals, trust: questions });
      await live.refresh();
      await tick();
      expect(said()).toContain(words);
    }
  });
});
