import { describe, expect, it } from 'vitest';

import { card, diff, step } from '../../test/make';
import { blocksIn, blocksToSee, seenNames } from './evidence';

const listing = { state: 'read', why: '', steps: [step('x')], left: 0 };
const changed = { by: 'you', words: '', hashShort: '', fields: [] };
const unread = { state: 'unread', why: 'a quote is not closed', steps: [], left: 0 };
const command = { preview: 'command', command: 'x', paths: [] };

describe('the blocks of a card, which must have been in view before it is allowed with others', () => {
  it.each([
    ['a change of two files', card({}, { diffs: [diff(), diff({ path: 'b' })] }), ['the change', 'the change']],
    [
      'a command with its list, its facts and a path that no list names',
      card({}, { preview: 'command', command: 'x', listing, about: [{ label: 'Runs in', text: '/' }] }),
      ['the command', 'the list of commands', 'how it runs', 'the paths'],
    ],
    [
      'a call whose arguments were changed',
      card({}, { ...command, changed, listing, input: 'y' }),
      ['what was changed', 'the command', 'the list of commands', 'the text'],
    ],
    ['a command that could not be read', card({}, { ...command, listing: unread }), ['the command', 'how it was read']],
    ['a call without arguments', card({}, { preview: 'arguments', paths: [] }), ['the arguments']],
  ])('are those of %s', (_, one, names) => {
    expect(blocksIn(one).map(({ name }) => name)).toEqual(names);
    expect(new Set(blocksIn(one).map(({ id }) => id)).size).toBe(names.length);
  });

  it('are the command and all that was read of it where the whole command must be seen', () => {
    const one = { ...command, changed, mustSee: true, about: [{ label: 'Runs in', text: '/' }] };
    expect(blocksToSee(card({}, { ...one, listing }))).toEqual(['the command', 'the list of commands']);
    expect(blocksToSee(card({}, { ...one, listing: unread }))).toEqual(['the command', 'how it was read']);
    expect(blocksToSee(card({}, { ...one, listing, mustSee: false }))).toEqual([]);
  });

  it('were seen by a name once all that share it were', () => {
    const files = blocksIn(card({}, { diffs: [diff(), diff({ path: 'b' })], about: [{ label: 'In', text: '/' }] }));
    const ids = files.map(({ id }) => id);
    expect(seenNames(files, new Set(ids.slice(1)))).toEqual(['how it runs']);
    expect(seenNames(files, new Set(ids.slice(0, 2)))).toEqual(['the change']);
    expect(seenNames(files, new Set())).toEqual([]);
  });
});
