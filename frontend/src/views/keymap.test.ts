import { describe, expect, it } from 'vitest';

import { chordOf, type Keys } from '../lib/ui/keys';
import { everywhereKeys, keymap, mapKeys, menuKeys } from './keymap';
import { views } from './route';

const raw = import.meta.glob<string>('../**/*.{svelte,ts}', { query: '?raw', import: 'default', eager: true });
const sources = Object.entries(raw).filter(([path]) => !path.endsWith('.test.ts') && !path.includes('/test/'));
const modules = import.meta.glob<Record<string, Keys>>('../lib/*/keys.ts', { eager: true });
const tables: [string, Record<string, Keys>][] = [
  ...Object.entries(modules).filter(([path]) => path !== '../lib/ui/keys.ts'),
  ['keymap.ts', { everywhereKeys, mapKeys, menuKeys }],
];
const chords = new Set(keymap.flatMap(({ keys }) => Object.values(keys).flatMap(({ on }) => on)));

// What reads keys by itself: the reader of the tables, and a button, whose Space and Enter are its own.
// An answer's key is told apart before it is one.
const readers = ['../lib/ui/keys.ts', '../lib/ui/HoldButton.svelte', '../lib/approval/answering.ts'];

describe('the keyboard map', () => {
  it('lists every table of keys, whole', () => {
    expect(tables.length).toBeGreaterThan(2);
    for (const [path, exports] of tables) {
      for (const [name, keys] of Object.entries(exports)) {
        for (const [act, key] of Object.entries(keys)) {
          const listed = keymap.some((place) => place.keys[act] === key);
          expect(listed, `${act} of ${name} in ${path} is missing in views/keymap.ts`).toBe(true);
        }
      }
    }
  });

  it('lists no table that no handler reads', () => {
    const names = tables.flatMap(([, exports]) => Object.keys(exports));
    for (const name of names) {
      const read = sources.some(([, text]) => new RegExp(`\\bpress\\(\\s*\\w+,\\s*${name}\\b`).test(text));
      expect(read, `no handler does press(event, ${name}, …)`).toBe(true);
    }
  });

  it('is complete: nothing reads a key past the tables', () => {
    for (const [path, text] of sources) {
      if (readers.includes(path)) continue;
      const bare = /\b(?:event|e)\.(?:key|code|keyCode|which)\b|\{[^}]*\bkey\b[^}]*\}: KeyboardEvent|\bchordOf\(/.exec(
        text,
      );
      expect(bare?.[0], `${path} reads a key itself; list it in a keys.ts and use press()`).toBeUndefined();
    }
  });

  it('knows every key that is printed on a control or told to a screen reader', () => {
    const caps = new Set([...chords].flatMap((chord) => [chord, chord.replace('Ctrl+', 'Control+')]));
    for (const [path, text] of sources) {
      for (const [, told = ''] of text.matchAll(/aria-keyshortcuts="([^"{]+)"/g)) {
        for (const one of told.split(' ')) expect(caps.has(one), `${one} in ${path}`).toBe(true);
      }
    }
  });

  it('has chords that a keyboard gives', () => {
    for (const chord of chords) {
      const [first, second] = chord.length > 1 ? chord.split('+') : [chord];
      const init = second ? { key: second, ctrlKey: first === 'Ctrl', shiftKey: first === 'Shift' } : { key: first };
      expect(chordOf(new KeyboardEvent('keydown', init))).toBe(chord);
    }
  });

  it('gives a key one meaning in a view', () => {
    for (const view of views) {
      const here = keymap.filter((place) => place.view === view || place.view === '');
      // A place may say the same key again for a part of it, such as a field: then the part is written in.
      const seen = here
        .flatMap(({ keys }) => Object.values(keys).filter((key) => !key.writing))
        .flatMap(({ on }) => on);
      expect(seen.length, `${view}: ${seen.join(' ')}`).toBe(new Set(seen).size);
    }
  });

  it('has one key for each view', () => {
    expect(everywhereKeys.view.on).toEqual(views.map((_, i) => `Ctrl+${i + 1}`));
    expect(views.length).toBeLessThan(10);
  });
});
