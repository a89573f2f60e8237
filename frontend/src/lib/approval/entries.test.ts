import { describe, expect, it } from 'vitest';

import type { ApprovalRow, TrustQuestion } from '../bridge/dto';
import { approvalRow, card, classOf, desk } from '../../test/make';
import { isFlagged, leftWords, loudReasons, sameSubstance, wordsLimit, zoneWords } from './card';
import { entriesOf, type Entry, heldEntries, neighbour, successor, underWay } from './entries';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const question = (over: Partial<TrustQuestion> = {}): TrustQuestion => ({
  root: '/w/b',
  workspace: '/w/b/site',
  askedBy: 'Codex',
  askerKind: 'mcp',
  sessionId: 's2',
  createdAt: at(9),
  opens: [],
  shut: [],
  postpone: false,
  waiting: 0,
  ...over,
});
const entries = (approvals: ReturnType<typeof approvalRow>[], trust: TrustQuestion[] = []) =>
  entriesOf({ desk: desk(), sessions: [], approvals, trust });
const keys = (list: { key: string }[]) => list.map((entry) => entry.key);

describe('the inbox', () => {
  it('keeps the order of the proposals, and holds what waits only', () => {
    const rows = [
      approvalRow({ id: 'z', createdAt: at(3) }),
      approvalRow({ id: 'a', createdAt: at(1) }),
      approvalRow({ id: 'gone', createdAt: at(2), status: 'denied' }),
    ];
    expect(keys(entries(rows))).toEqual(['call:z', 'call:a']);
  });

  it('has the calls whose caller left below all that somebody waits for', () => {
    const rows = [
      approvalRow({ id: 'dead', createdAt: at(1), callerLeft: true, leftWhy: 'left' }),
      approvalRow({ id: 'dead2', createdAt: at(2), callerLeft: true, leftWhy: 'interrupted' }),
      approvalRow({ id: 'live', createdAt: at(3) }),
    ];
    expect(keys(entries(rows, [question()]))).toEqual(['call:live', 'trust:/w/b', 'call:dead', 'call:dead2']);
  });

  it('has the trust question before every call of its workspace', () => {
    const rows = [
      approvalRow({ id: 'a', workspace: '/w/a', createdAt: at(1) }),
      approvalRow({ id: 'b', workspace: '/w/b/site', createdAt: at(2) }),
      approvalRow({ id: 'b2', workspace: '/w/b', createdAt: at(4) }),
    ];
    expect(keys(entries(rows, [question()]))).toEqual(['call:a', 'trust:/w/b', 'call:b', 'call:b2']);
  });

  it('does not take a folder whose name begins alike for the same workspace', () => {
    const rows = [approvalRow({ id: 'x', workspace: '/w/bigger', createdAt: at(2) })];
    expect(keys(entries(rows, [question()]))).toEqual(['call:x', 'trust:/w/b']);
  });

  it('keeps a question that was put off, since its calls wait', () => {
    expect(keys(entries([approvalRow({ createdAt: at(1) })], [question({ postpone: true })]))).toEqual([
      'call:a1',
      'trust:/w/b',
    ]);
  });

  it('steps to a neighbour and stays at the ends', () => {
    const list = entries([1, 2, 3].map((n) => approvalRow({ id: String(n), createdAt: at(n) })));
    expect(neighbour(list, 'call:1', 1)).toBe('call:2');
    expect(neighbour(list, 'call:1', -1)).toBe('call:1');
    expect(neighbour(list, 'call:3', 1)).toBe('call:3');
    expect(neighbour([], 'call:3', 1)).toBe('');
  });

  it('goes on to what took the place of an answered card', () => {
    const list = entries([1, 2, 3].map((n) => approvalRow({ id: String(n), createdAt: at(n) })));
    const left = list.filter((entry) => entry.key !== 'call:2');
    expect(successor(list, left, 'call:2')).toBe('call:3');
    expect(successor(list, list, 'call:3')).toBe('call:2');
    expect(successor(list, [], 'call:2')).toBe('');
  });
});

describe('a card', () => {
  it('is another one when what would run differs, and the same when only its caller left', () => {
    const one = card();
    expect(sameSubstance(one, card({ callerLeft: true }))).toBe(true);
    expect(sameSubstance(one, card({}, { hash: 'other' }))).toBe(false);
    expect(sameSubstance(one, card({ risk: 'high' }))).toBe(false);
    expect(sameSubstance(one, card({ status: 'denied' }))).toBe(false);
  });

  it('says why it is loud from facts', () => {
    const outside = { path: '/etc/x', absolute: '/etc/x', access: 'write', zone: 'outside', linked: false };
    expect(loudReasons(card({}, { paths: [outside], class: classOf({ sideEffect: 'Runs code' }) }))).toBe(
      'Writes outside the workspace, runs code.',
    );
    expect(loudReasons(card({}, { command: 'a\u200bb', paths: [] }))).toBe('Holds 1 invisible character.');
    expect(loudReasons(card({}, { input: 'a\u200bb', about: [{ label: 'Process', text: '\u200b' }], paths: [] }))).toBe(
      'Holds 2 invisible characters.',
    );
    expect(loudReasons(card({}, { restricted: true, paths: [] }))).toBe('Restricted: it always asks, and once only.');
    const secrets = card({}, { restricted: true, dangers: ['holds private keys', 'holds passwords or tokens'] });
    expect(loudReasons(secrets)).toBe('Restricted: holds private keys, holds passwords or tokens.');
    expect(loudReasons(card())).toBe('');
  });

  it('flags a path that leaves the workspace, goes through a link, or lies nobody knows where', () => {
    const path = { path: 'a', absolute: '/w/a', access: 'read', zone: 'workspace', linked: false };
    expect(
      [path, { ...path, linked: true }, { ...path, zone: 'outside' }, { ...path, zone: 'new' }].map(isFlagged),
    ).toEqual([false, true, true, true]);
    expect(zoneWords({ ...path, zone: 'outside', linked: true })).toBe('Outside the workspace, through a link');
    expect(zoneWords({ ...path, zone: 'new' })).toBe('Not known where');
  });

  it('says that nothing runs by itself', () => {
    expect(leftWords(card())).toBeNull();
    expect(leftWords(card({ callerLeft: true, leftWhy: 'interrupted' }))?.what).toBe('The call was interrupted.');
    expect(leftWords(card({ callerLeft: true, leftWhy: 'left' }))?.then).toContain('Nothing runs by itself');
  });

  it('knows how many characters of a denial reach the caller', () => {
    expect([wordsLimit('mcp'), wordsLimit('agent')]).toEqual([300, 2000]);
  });
});

describe('a list that is held under the pointer', () => {
  const entry = (id: string): Entry => ({ kind: 'call', key: `call:${id}`, row: approvalRow({ id }) });

  it('keeps what has gone in its place and puts what came below', () => {
    const held = heldEntries([entry('a'), entry('b'), entry('c')], [entry('z'), entry('a'), entry('c')]);
    expect(held.map((one) => [one.entry.key, one.gone])).toEqual([
      ['call:a', false],
      ['call:b', true],
      ['call:c', false],
      ['call:z', false],
    ]);
  });

  it('shows the newest state of what stays', () => {
    const now: Entry = { kind: 'call', key: 'call:a', row: approvalRow({ id: 'a', callerLeft: true }) };
    expect(heldEntries([entry('a')], [now])[0]?.entry).toBe(now);
  });
});

describe('the calls that have not ended', () => {
  const told = (running: number, rows: ApprovalRow[], trust: Partial<TrustQuestion>[] = []) =>
    underWay({ desk: desk({ running }), sessions: [], approvals: rows, trust: trust as TrustQuestion[] });

  it('wait for a person or are at work, never both', () => {
    const rows = [card().row, card({ id: 'a2' }).row];
    expect(told(7, [])).toEqual({ waiting: 0, working: 7 });
    expect(told(2, rows)).toEqual({ waiting: 2, working: 0 });
    expect(told(6, rows, [{ waiting: 3 }])).toEqual({ waiting: 5, working: 1 });
    expect(told(1, [card({ callerLeft: true }).row, card({ status: 'approved' }).row])).toEqual({
      waiting: 0,
      working: 1,
    });
    expect(told(0, rows), 'counted a moment before').toEqual({ waiting: 2, working: 0 });
  });
});
