import { describe, expect, it } from 'vitest';

import type { ApprovalCard, CommandMark } from '../bridge/dto';
import { card, classOf, diff, step } from '../../test/make';
import { combinedEffect } from './effect';

const runs = (marks: Partial<CommandMark>[], over: Partial<ApprovalCard> = {}, row = {}) =>
  card(row, {
    preview: 'command',
    command: 'x',
    paths: [],
    diffs: [],
    listing: { state: 'read', why: '', steps: [step('x', marks)], left: 0 },
    class: classOf({ sideEffect: 'Runs code' }),
    ...over,
  });
const changes = (path: string, row = {}) =>
  card(row, {
    diffs: [diff({ path, absolute: `/w/${path}` })],
    paths: [{ path, absolute: `/w/${path}`, access: 'write', zone: 'workspace', linked: false }],
  });
const told = (cards: ApprovalCard[]) => {
  const { sentence, facts } = combinedEffect(cards);
  const said = facts.map(({ words, names, more, flag }) => {
    const all = [words, names.join(' '), more ? `+${more}` : ''].filter((part) => part).join(' ');
    return flag ? `!${all}` : all;
  });
  return [sentence, ...said];
};

describe('what several calls would do together', () => {
  it('counts commands, files and sessions, and says that nothing is reached where that is known', () => {
    const cards = [
      runs([{ effect: 'reads', subject: 'a' }]),
      runs([{ effect: 'writes', subject: 'b.txt' }], {}, { sessionId: 's2' }),
      runs([]),
      changes('a.go'),
      changes('a.go'),
      changes('c.go'),
    ];
    expect(told(cards)).toEqual([
      'Run 3 commands and change 2 files in 2 sessions',
      'Writes 3 files',
      'Reaches no network',
    ]);
  });

  it('counts the commands that are listed of each call, and one of which none is as one', () => {
    const listed = (count: number, left: number) => ({
      listing: { state: 'read', why: '', steps: Array.from({ length: count }, () => step('x')), left },
    });
    const unread = { listing: { state: 'unread', why: 'w', steps: [], left: 0 } };
    expect(told([runs([], listed(3, 0)), runs([], listed(2, 2))])[0]).toBe('Run 7 commands in 1 session');
    expect(told([runs([], listed(3, 0)), runs([], unread)])[0]).toBe('Run 4 commands in 1 session');
  });

  it('counts a file once, by whatever name it is written', () => {
    const path = { path: 'a.go', absolute: '/w/a.go', access: 'write', zone: 'workspace', linked: false };
    const cards = [changes('a.go'), runs([{ effect: 'writes', subject: 'a.go' }], { paths: [path] })];
    expect(told(cards)[1]).toBe('Writes 1 file');
  });

  it('names what is removed, what lies outside and what is reached, at most three of each', () => {
    const cards = [
      runs([
        ...['a', 'b', 'c', 'd'].map((subject) => ({ effect: 'removes', subject })),
        { effect: 'reaches', subject: 'example.com' },
        { effect: 'reads', subject: '/etc/hosts', outside: true },
      ]),
      card(
        {},
        {
          preview: 'egress',
          url: 'https://api.example.com/x?y',
          class: classOf({ sideEffect: 'Reads from the network' }),
          diffs: [],
          paths: [],
        },
      ),
    ];
    expect(told(cards)).toEqual([
      'Run 1 command and make 1 other call in 1 session',
      'Writes 4 files',
      '!Removes a b c +1',
      '!Outside the workspace: /etc/hosts',
      '!Reads from the network (1 call)',
      '!Reaches example.com api.example.com',
    ]);
  });

  it.each<[string, Partial<ApprovalCard>]>([
    [
      'runs a program that nobody read',
      { listing: { state: 'read', why: '', steps: [step('x', [{ effect: 'runs' }])], left: 0 } },
    ],
    ['could not be read', { listing: { state: 'unread', why: 'w', steps: [], left: 0 } }],
    ['is known only when it runs', { listing: { state: 'dynamic', why: 'w', steps: [step('x')], left: 0 } }],
    ['is not listed whole', { listing: { state: 'read', why: '', steps: [step('x')], left: 3 } }],
    [
      'has more marks than are listed',
      { listing: { state: 'read', why: '', steps: [step('x', [], { left: 1 })], left: 0 } },
    ],
    ['was stored before commands were listed', { listing: { state: '', why: '', steps: [], left: 0 } }],
    ['is sent to a program', { command: '', input: 'y\n' }],
  ])('does not say that nothing is reached where a call %s', (_, over) => {
    expect(told([runs([]), runs([], over)]).at(-1)).toBe('!May reach the network');
  });

  it('says of how many nobody can tell what they do, and in how many workspaces they work', () => {
    const unread = { listing: { state: 'unread', why: 'w', steps: [], left: 0 } };
    expect(told([runs([], unread), runs([], unread, { workspace: '/other' }), runs([])])).toContain(
      '!What 2 of them do is not known beforehand',
    );
    expect(told([runs([]), runs([], {}, { workspace: '/other' })])).toContain('!In 2 workspaces');
    expect(told([runs([{ effect: 'privileged', words: 'acts as root' }])])).toContain(
      '!Acts with more rights (1 call)',
    );
  });
});
