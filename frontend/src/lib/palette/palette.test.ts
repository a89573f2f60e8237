import { describe, expect, it, vi } from 'vitest';

import { type Choosing, type Command, find, fitOf } from './command';
import { Palette } from './palette.svelte';
import { fit, termsOf } from './score';

const command = (id: string, over: Partial<Command> = {}): Command => ({
  id,
  group: 'Tools',
  title: id,
  act: () => {},
  ...over,
});
const ids = (palette: Palette) => palette.lines.map((line) => line.id);

describe('a word', () => {
  it('fits best where a word begins with it, then inside one, then as beginnings of words', () => {
    const [start, inside, short] = [
      fit('read', 'Read-only lock'),
      fit('only', 'readonly'),
      fit('rol', 'Read-only lock'),
    ];
    expect(start).toBeGreaterThan(inside);
    expect(inside).toBeGreaterThan(short);
    expect(short).toBeGreaterThan(0);
  });

  it.each([
    ['zz', 'Read-only lock'],
    ['lr', 'Read-only lock'],
    ['eny', 'Read-only lock'],
    ['q', ''],
  ])('%s does not fit "%s"', (term, text) => expect(fit(term, text)).toBe(0));

  it.each([
    ['gta', 'Go to Approvals'],
    ['gtapp', 'Go to Approvals'],
    ['aik', 'ApprovalInboxKeyboard'],
    ['exwr', 'demo.external.write'],
    ['groß', 'Größe groß'],
  ])('%s fits "%s"', (term, text) => expect(fit(term, text)).toBeGreaterThan(0));

  it('takes no time on a text made to take it', () => {
    const text = 'a '.repeat(5_000);
    expect(fit(`${'a'.repeat(60)}b`, text)).toBe(0);
  });

  it('is cut from a query at spaces, and a pasted page is a few words', () => {
    expect(termsOf('  Go \n to ')).toEqual(['go', 'to']);
    expect(termsOf('word '.repeat(1_000)).length).toBeLessThan(20);
  });
});

describe('finding', () => {
  it('needs every word, wherever it stands', () => {
    const write = command('write', { detail: 'coding', also: 'Writes a whole file' });
    expect(fitOf(write, ['write', 'coding'])).toBeGreaterThan(0);
    expect(fitOf(write, ['write', 'nothing'])).toBe(0);
  });

  it('puts the group of the best command first, and the best first in each', () => {
    const found = find(
      [
        command('a', { words: 'about lock' }),
        command('b', { group: 'Change', title: 'Lock' }),
        command('c', { title: 'Block' }),
      ],
      'lock',
    );
    expect(found.map((group) => [group.name, group.commands.map((one) => one.id)])).toEqual([
      ['Change', ['b']],
      ['Tools', ['c', 'a']],
    ]);
  });

  it('says how many are left out', () => {
    const many = Array.from({ length: 300 }, (_, i) => command(`tool ${i}`));
    expect(find(many, '')[0]).toMatchObject({ name: 'Tools', more: 294 });
    const found = find(many, 'tool')[0];
    expect((found?.commands.length ?? 0) + (found?.more ?? 0)).toBe(300);
  });
});

describe('the palette', () => {
  const open = (commands: Command[]) => {
    const palette = new Palette();
    palette.show(commands);
    return palette;
  };

  it('begins at the first line and goes round', () => {
    const palette = open(['a', 'b', 'c'].map((id) => command(id)));
    expect(palette.active).toBe('a');
    palette.move(-1);
    expect(palette.active).toBe('c');
    palette.move(1);
    expect(palette.active).toBe('a');
    palette.page(1);
    expect(palette.active).toBe('c');
    palette.page(-1);
    expect(palette.active).toBe('a');
    palette.last();
    expect(palette.active).toBe('c');
    palette.first();
    expect(palette.active).toBe('a');
  });

  it('does one command and is closed by then', () => {
    const palette = new Palette();
    const act = vi.fn(() => expect(palette.open).toBe(false));
    palette.show([command('a', { act }), command('b')]);
    palette.run();
    expect(act).toHaveBeenCalledOnce();
  });

  it('does nothing where nothing was found', () => {
    const act = vi.fn();
    const palette = open([command('a', { act })]);
    palette.ask('zzz');
    expect(palette.lines).toEqual([]);
    palette.move(1);
    palette.last();
    palette.run();
    expect(act).not.toHaveBeenCalled();
    expect(palette.open).toBe(true);
  });

  it('keeps the line while more is added below', () => {
    const palette = open([command('a'), command('b', { group: 'Go to' })]);
    palette.move(1);
    palette.add([command('a'), command('c', { group: 'New' })]);
    expect(palette.active).toBe('b');
    expect(ids(palette)).toEqual(['a', 'b', 'c']);
  });

  it('takes the first line again after another letter', () => {
    const palette = open(['one', 'other', 'third'].map((id) => command(id)));
    palette.last();
    palette.ask('o');
    expect(palette.active).toBe(palette.lines[0]?.id);
  });

  it('shows the values of a setting with the present one under Enter, so that Enter alone changes nothing', () => {
    const pick = vi.fn();
    const choices = ['default', 'edit', 'full'].map((value) => ({ value, label: value, words: '' }));
    const act: Choosing = { title: 'Preset', words: '', value: 'edit', choices, pick };
    const palette = open([command('loosen', { act })]);
    palette.run();
    expect(ids(palette)).toEqual(['value:default', 'value:edit', 'value:full']);
    expect(palette.active).toBe('value:edit');
    palette.back();
    expect(palette.open).toBe(true);
    palette.run();
    palette.run();
    expect([palette.open, pick.mock.calls]).toEqual([false, []]);

    palette.show([command('loosen', { act })]);
    palette.run();
    palette.move(1);
    palette.run();
    expect(pick.mock.calls).toEqual([['full']]);
  });
});
