import { render } from '@testing-library/svelte';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { type Line, line, lines, maxColumns, maxScanned, textOf } from './ansi';
import AnsiLine from './AnsiLine.svelte';
import { grounds, inks, lookOf, plainPen, turned } from './pen';

const esc = '\x1b';

/** The runs of a line as "text" or "text<look>", one after the other. */
const told = (text: string) =>
  line(text)
    .runs.map((run) => (run.look ? `${run.text}<${run.look.replace(/\ba-|^a /g, '')}>` : run.text))
    .join('|');

// spec: KH-48
test.each([
  ['plain text', 'nothing', 'nothing'],
  ['a colour and its end', `a${esc}[31mb${esc}[0mc`, 'a|b<ink-red>|c'],
  ['an end without a number', `${esc}[31mb${esc}[mc`, 'b<ink-red>|c'],
  ['several at once', `${esc}[1;4;32mok`, 'ok<ink-green bold underline>'],
  ['bright colours', `${esc}[91mx${esc}[104my`, 'x<ink-bright-red>|y<ink-bright-red ground-blue>'],
  [
    'black and white',
    `${esc}[30ma${esc}[37mb${esc}[97mc${esc}[90md`,
    'a<ink-strong>|b<ink-faint>|c<ink-strong>|d<ink-grey>',
  ],
  ['bold and dim end together', `${esc}[1;2mx${esc}[22my`, 'x<bold dim>|y'],
  ['italic, struck, inverse', `${esc}[3;9;7mx${esc}[23;29;27my`, 'x<italic strike inverse>|y'],
  ['own colours again', `${esc}[31;42mx${esc}[39my${esc}[49mz`, 'x<ink-red ground-green>|y<ground-green>|z'],
  ['of 256: the first sixteen', `${esc}[38;5;9mx`, 'x<ink-bright-red>'],
  [
    'of 256: the cube',
    `${esc}[38;5;208mx${esc}[38;5;21my${esc}[48;5;22mz`,
    'x<ink-yellow>|y<ink-blue>|z<ink-blue ground-green>',
  ],
  ['of 256: greys', `${esc}[38;5;232ma${esc}[38;5;240mb${esc}[38;5;255mc`, 'a<ink-strong>|b<ink-grey>|c<ink-strong>'],
  ['true colours', `${esc}[38;2;255;0;0mx${esc}[48;2;10;20;200my`, 'x<ink-red>|y<ink-red ground-blue>'],
  ['true colours between colons', `${esc}[38:2::255:0:0mx${esc}[38:2:0:160:160my`, 'x<ink-red>|y<ink-cyan>'],
  ['what follows a true colour', `${esc}[38;2;1;2;3;1mx`, 'x<ink-strong bold>'],
  ['colours that are none', `${esc}[38;5;256mx${esc}[38;2;0;0;999my${esc}[38;7mz`, 'xyz'],
  ['a colour of underlines', `${esc}[58;5;196mx${esc}[58:2::1:2:3my`, 'xy'],
  ['kinds of underlines', `${esc}[4:3mx${esc}[4:0my`, 'x<underline>|y'],
  ['what is concealed or blinks', `${esc}[8mpassword${esc}[5m!`, 'password!'],
  ['other sequences that end in m', `${esc}[>4;1mx${esc}[?4my${esc}[1 mz`, 'xyz'],
])('colours: %s', (_, text, want) => {
  expect(told(text)).toBe(want);
});

test.each([
  ['progress', '10 %\r20 %\r100 %', '100 %'],
  ['a shorter state over a longer one', 'downloading\rdone', 'doneloading'],
  ['an erased line', `downloading\r${esc}[Kdone`, 'done'],
  ['a line erased from within', `downloading${esc}[2K\rdone`, 'done'],
  ['erased up to here', `abcdef${esc}[3D${esc}[1K`, '    ef'],
  ['a return at the end', 'windows\r', 'windows'],
  ['backspaces', 'ab\b\bx', 'xb'],
  ['more backspaces than text', 'a\b\b\b\bx', 'x'],
  ['a column', `abc${esc}[1Gx${esc}[5Gy`, 'xbc y'],
  ['a step to the right', `a${esc}[3Cb`, 'a   b'],
  ['characters of two units', '😀😀\r😀x', '😀x'],
])('moves within the line: %s', (_, text, want) => {
  expect(textOf(line(text))).toBe(want);
});

test.each([
  ['moves to other lines', `a${esc}[2Ab${esc}[10;20Hc${esc}[2Jd`, 'abcd'],
  ['modes', `${esc}[?25l${esc}[?1049hx${esc}[?2004l`, 'x'],
  ['titles', `${esc}]0;rm -rf /\x07x${esc}]2;t${esc}\\y`, 'xy'],
  [
    'the address of a link',
    `see ${esc}]8;;https://example.test/${esc}\\the log${esc}]8;;${esc}\\ now`,
    'see the log now',
  ],
  ['other strings', `${esc}Pq#0${esc}\\a${esc}_Gf=100;AAAA${esc}\\b${esc}^x${esc}\\c${esc}Xs${esc}\\d`, 'abcd'],
  ['short ones', `${esc}7a${esc}8${esc}=b${esc}(Bc${esc}c${esc}#8`, 'abc'],
])('drops %s', (_, text, want) => {
  expect(line(text).runs).toEqual([{ text: want, look: '' }]);
});

test('keeps what is no whole sequence, and draws controls as tokens', () => {
  expect(textOf(line(`a${esc}[31`))).toBe(`a${esc}[31`);
  expect(textOf(line(`a${esc}]0;title without an end`))).toBe(`a${esc}]0;title without an end`);
  expect(textOf(line(`a${esc}`))).toBe(`a${esc}`);
  const { container } = render(AnsiLine, { line: line(`\0${esc}[31m\x07<b>\x9b31m${esc}`) });
  expect([...container.querySelectorAll('.tok')].map((one) => one.textContent)).toEqual([
    ...['U+0000', 'U+0007', 'U+009B', 'U+001B'],
  ]);
  expect(container.querySelector('b')).toBeNull();
  expect(container.textContent).toContain('<b>');
});

test('carries the pen over lines, and begins none after the last break', () => {
  const read = lines(`${esc}[32mone\ntwo${esc}[0m\nthree\n`);
  expect(read.lines.map((one) => one.runs)).toEqual([
    [{ text: 'one', look: 'a a-ink-green' }],
    [{ text: 'two', look: 'a a-ink-green' }],
    [{ text: 'three', look: '' }],
  ]);
  expect(read.pen).toEqual(plainPen);
  expect(lines('').lines).toEqual([]);
  expect(lines('\n\n').lines).toEqual([
    { runs: [], left: 0 },
    { runs: [], left: 0 },
  ]);
});

test('draws the beginning of a line without end and says how much is left', () => {
  expect(line('x'.repeat(maxColumns + 5))).toMatchObject({ left: 5 });
  expect(line(`${esc}[31m${'x'.repeat(maxColumns + 5)}`)).toMatchObject({
    runs: [{ text: 'x'.repeat(maxColumns), look: 'a a-ink-red' }],
    left: 5,
  });
  const half = line(`${'x'.repeat(maxColumns - 1)}😀y`);
  expect(half).toMatchObject({ runs: [{ text: 'x'.repeat(maxColumns - 1) }], left: 3 });
  const { container } = render(AnsiLine, { line: line('y'.repeat(maxColumns + 1_234)) });
  expect(container.textContent).toMatch(/yand 1,234 more characters here$/);
});

test('shows the last state of progress without end', () => {
  const states = Array.from({ length: 200_000 }, (_, i) => `${i} of 200000`).join('\r');
  expect(states.length).toBeGreaterThan(maxScanned);
  expect(textOf(line(states))).toBe('199999 of 200000');
});

// A number for each call, the same in each run.
function dice(seed: number) {
  return (below: number) => {
    seed = (Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((seed ^ (seed >>> 13)) >>> 0) % below;
  };
}

const bits = [
  ...[
    esc,
    '[',
    ']',
    ';',
    ':',
    'm',
    'K',
    'G',
    'C',
    '0',
    '1',
    '38',
    '48',
    '5',
    '2',
    '255',
    '99999999999',
    '?',
    ' ',
    '\\',
  ],
  ...[
    '\r',
    '\b',
    '\n',
    '\t',
    '\0',
    '\x07',
    '\x9b',
    'text',
    '<script>',
    '&amp;',
    '😀',
    '\ud800',
    '\u202e',
    'P',
    '_',
    '(',
  ],
  ...[`${esc}[31m`, `${esc}[0m`, `${esc}[38;5;123m`, `${esc}[K`, `${esc}]8;;x${esc}\\`],
];

const wild = (roll: (below: number) => number) =>
  Array.from({ length: roll(60) }, () => bits[roll(bits.length)] ?? '').join('');

const known = new Set([
  ...['a', 'a-bold', 'a-dim', 'a-italic', 'a-underline', 'a-strike', 'a-inverse'],
  ...inks.map((ink) => `a-ink-${ink}`),
  ...grounds.map((ground) => `a-ground-${ground}`),
]);

test('whatever comes: only known looks, lines apart from each other, and colours change no text', () => {
  for (let seed = 1; seed <= 2_000; seed++) {
    const text = wild(dice(seed));
    const all = lines(text);
    const looks = all.lines.flatMap((one) => one.runs.map((run) => run.look));
    for (const name of looks.join(' ').split(' ').filter(Boolean)) expect(known, text).toContain(name);
    // One line after the other is the same as all at once.
    let pen = plainPen;
    const parts = text.endsWith('\n') ? text.slice(0, -1).split('\n') : text === '' ? [] : text.split('\n');
    const apart: Line[] = parts.map((part) => {
      const { pen: after, ...one } = line(part, pen);
      pen = after;
      return one;
    });
    expect(all, text).toEqual({ lines: apart, pen });
    // No run is empty, and neighbours differ.
    for (const one of apart) {
      one.runs.forEach((run, i) => {
        expect(run.text, text).not.toBe('');
        expect(run.look, text).not.toBe(one.runs[i - 1]?.look);
      });
    }
    // The text is the same in any colour.
    const coloured = parts.map((part) => textOf(line(part, turned(plainPen, '1;35;46'))));
    expect(coloured, text).toEqual(apart.map(textOf));
    // What moves nothing and colours nothing is shown whole.
    // eslint-disable-next-line no-control-regex
    const still = text.replace(/[\x1b\r\b\n]/g, '');
    expect(textOf(line(still))).toBe(still);
  }
});

test('the work on absurd lines is bounded', () => {
  const size = 1_000_000;
  const absurd = {
    'one long line': 'x'.repeat(20 * size),
    'escapes alone': esc.repeat(size),
    'strings that never end': `${esc}]`.repeat(size),
    'sequences that never end': `${esc}[`.repeat(size),
    'a sequence of digits without end': `${esc}[${'1'.repeat(size)}`,
    'colours alone': `${esc}[31m`.repeat(size / 5),
    'steps to the far right': `${esc}[999999999C`.repeat(size / 13),
    'returns alone': '\r'.repeat(size),
    'numbers without end': `${esc}[${'1;'.repeat(size / 2)}m`,
  };
  for (const [what, text] of Object.entries(absurd)) {
    const { runs, left } = line(text);
    const shown = runs.reduce((sum, run) => sum + run.text.length, 0);
    expect(shown, what).toBeLessThanOrEqual(maxColumns);
    expect(shown + left, what).toBeLessThanOrEqual(text.length);
  }
  const rows = lines(`${esc}[999999Gx\n`.repeat(1_000)).lines;
  expect(rows.every((row) => textOf(row).length <= 241)).toBe(true);
});

// The contrast of two colours as WCAG has it.
function contrast(a: string, b: string): number {
  const light = (hex: string) => {
    const [r = 0, g = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * blue;
  };
  const [high = 0, low = 0] = [light(a), light(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

test('every ink is legible on every ground and inverse, in both themes', () => {
  const css = readFileSync('src/styles/tokens.css', 'utf8');
  const colour = (name: string, dark: boolean): string => {
    const said = new RegExp(`--${name}: ([^;]+);`).exec(css)?.[1] ?? '';
    const other = /^var\(--([\w-]+)\)$/.exec(said)?.[1];
    if (other) return colour(other, dark);
    const both = /^light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)$/.exec(said);
    expect(both, name).not.toBeNull();
    return both?.[dark ? 2 : 1] ?? '';
  };
  const written = readFileSync('src/styles/ansi.css', 'utf8');
  for (const dark of [false, true]) {
    for (const ink of [...inks.map((one) => `ink-${one}`), 'text-1', 'text-3']) {
      for (const ground of ['term-bg', ...grounds.map((one) => `ground-${one}`)])
        expect(contrast(colour(ink, dark), colour(ground, dark)), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
  }
  for (const name of known) expect(written, name).toMatch(new RegExp(`\\.${name}\\b`));
  expect(lookOf(plainPen)).toBe('');
});
