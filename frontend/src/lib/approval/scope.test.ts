import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { FakeBridge } from '../bridge/fake';
import type { MatchRequest } from '../bridge/dto';
import { card, choice, desk, offer } from '../../test/make';
import { askMs, choiceOf, refusedOf, Scope, stepped } from './scope.svelte';

const log = offer({
  text: 'git log -1',
  choices: [choice('git log -1', 'exactly'), choice('git log -1 *', 'these words'), choice('git log *', 'any log')],
});
const once = offer({ text: 'npm run x', why: 'it runs a script' });
const held = offer({ text: 'ls', covered: true, choices: [choice('ls', 'exactly')] });

let bridge: FakeBridge;

function open(offers = [log, once, held, log], life: 'session' | 'workspace' = 'session') {
  const one = card({ id: 'a1' }, { offers });
  bridge = new FakeBridge({
    snapshot: { desk: desk(), sessions: [], approvals: [one.row], trust: [] },
    cards: [one],
    views: [],
    details: [],
    trusts: [],
    tools: [],
  });
  return new Scope(bridge, one, life);
}

const asked = () => (bridge.of('wouldMatch') as MatchRequest[]).map((one) => one.value);
const settle = (ms = askMs) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a scope', () => {
  it('opens on the narrowest of each open part, and has one row for parts that are alike', () => {
    const scope = open();
    expect(scope.rows.map((row) => [row.offer.text, row.times, row.open, row.on])).toEqual([
      ['git log -1', 2, true, true],
      ['npm run x', 1, false, false],
      ['ls', 1, false, false],
    ]);
    expect(scope.refs).toEqual([{ kind: 'command', value: 'git log -1' }]);
    expect(scope.wrong).toBe('');
  });

  it('is stepped wider and narrower through what is offered, and no further', () => {
    const scope = open();
    const row = () => scope.rows[0]!;
    expect(stepped(row(), -1)).toBe(-1);
    for (let times = 0; times < 5; times++) scope.step(0, 1);
    expect(row().value).toBe('git log *');
    expect(stepped(row(), 1)).toBe(-1);
    scope.step(0, -1);
    expect(scope.refs).toEqual([{ kind: 'command', value: 'git log -1 *' }]);
  });

  it('that was written by hand counts once the desk has said that it may', async () => {
    const scope = open();
    await settle();
    scope.write(0, ' git *');
    expect(scope.wrong).toBe('Looking at what this would match.');
    await settle();
    expect(scope.wrong).toContain('Start from what is offered');
    scope.write(0, 'git log * ');
    await settle();
    expect(scope.wrong).toBe('');
    expect(scope.refs).toEqual([{ kind: 'command', value: 'git log *' }]);
    expect(choiceOf(scope.rows[0]!)).toBeUndefined();
  });

  it('asks once for what is typed in one go, and never takes an older answer', async () => {
    const scope = open();
    await settle();
    for (const text of ['g', 'gi', 'git']) scope.write(0, text);
    await settle();
    expect(asked()).toEqual(['git log -1', 'git']);
    scope.write(0, 'git log *');
    expect(scope.rows[0]!.match).toBeNull();
    await settle();
    expect(refusedOf(scope.rows[0]!)).toBe('');
  });

  it('says why nothing can be allowed so', () => {
    const scope = open();
    scope.rows[0]!.on = false;
    expect(scope.wrong).toBe('Choose at least one part.');
    const host = open([
      offer({ text: 'a.example', lives: ['session'], choices: [choice('a.example', 'x', 'fetch', 'host')] }),
    ]);
    expect(host.lives('workspace')).toBe(false);
    host.setLife('workspace');
    expect(host.wrong).toBe('This can only be allowed for the session.');
  });

  it('of a path is a folder when it is not the file itself', () => {
    const file = offer({
      text: 'a/b.go',
      choices: [choice('/w/a/b.go', 'the file', 'write', 'file'), choice('/w/a', 'the folder', 'write', 'folder')],
    });
    const scope = open([file]);
    expect(scope.refs).toEqual([{ kind: 'file', value: '/w/a/b.go' }]);
    scope.write(0, '/w/a/');
    expect(scope.refs).toEqual([{ kind: 'folder', value: '/w/a/' }]);
    scope.stop();
  });

  it('says so when what it would match cannot be told, and is not allowed unseen', async () => {
    const scope = open();
    await settle();
    vi.spyOn(bridge, 'wouldMatch').mockRejectedValue(new Error('gone'));
    scope.write(0, 'git log *');
    await settle();
    expect(scope.wrong).not.toBe('');
  });
});
