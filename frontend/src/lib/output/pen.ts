/** A colour that text can have. The names are those of the tokens; "" is the text's own. */
export type Ink = '' | Hue | `bright-${Hue}` | 'grey' | 'faint' | 'strong';
type Hue = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';

/** A colour that can lie behind text; "" is the ground of the terminal. */
export type Ground = '' | Hue | 'grey';

/** Pen is how a terminal would write the next character. Pens are never changed. */
export interface Pen {
  readonly ink: Ink;
  readonly ground: Ground;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly strike: boolean;
  readonly inverse: boolean;
}

/** The pen that a terminal begins with. */
export const plainPen: Pen = {
  ink: '',
  ground: '',
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  strike: false,
  inverse: false,
};

const hues: Hue[] = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan'];

/**
 * Every look that a pen can have is put together of these class names. Each pair of an ink
 * and a ground, and each ink turned inverse, has the contrast of text in both themes.
 */
export const inks: Ink[] = [...hues, ...hues.map((hue): Ink => `bright-${hue}`), 'grey', 'faint', 'strong'];
export const grounds: Ground[] = [...hues, 'grey'];

const kept = new WeakMap<Pen, string>();

/** The class names that draw a pen, "" for a plain one. */
export function lookOf(pen: Pen): string {
  const known = kept.get(pen);
  if (known !== undefined) return known;
  const names = [
    pen.ink && `ink-${pen.ink}`,
    pen.ground && `ground-${pen.ground}`,
    ...(['bold', 'dim', 'italic', 'underline', 'strike', 'inverse'] as const).map((name) => (pen[name] ? name : '')),
  ];
  const told = names.filter(Boolean).map((name) => `a-${name}`);
  const look = told.length ? ['a', ...told].join(' ') : '';
  kept.set(pen, look);
  return look;
}

/**
 * The pen after a "select graphic rendition" sequence, given what stands between its bracket
 * and its m: "1;31", "38;5;208", "38:2::255:0:0". What it does not know changes nothing. What is
 * told to be concealed or to blink is shown as it is.
 */
export function turned(pen: Pen, parameters: string): Pen {
  const all = parameters.split(';');
  let next = pen;
  for (let i = 0; i < all.length; i++) {
    const parts = (all[i] ?? '').split(':');
    const code = Number(parts[0] || 0);
    if (code === 38 || code === 48 || code === 58) {
      const loose = parts.length === 1;
      const rest = loose ? all.slice(i + 1, i + 5) : parts.slice(1);
      const colour = extended(rest, loose);
      if (loose) i += colour.taken;
      if (code === 38 && colour.ink !== undefined) next = { ...next, ink: colour.ink };
      if (code === 48 && colour.ink !== undefined) next = { ...next, ground: groundOf(colour.ink) };
      continue;
    }
    next = simple(next, code, parts[1]);
  }
  return next;
}

function simple(pen: Pen, code: number, detail: string | undefined): Pen {
  if (code === 0) return plainPen;
  if (code >= 30 && code <= 37) return { ...pen, ink: basic[code - 30] ?? '' };
  if (code >= 90 && code <= 97) return { ...pen, ink: basic[code - 82] ?? '' };
  if (code >= 40 && code <= 47) return { ...pen, ground: groundOf(basic[code - 40] ?? '') };
  if (code >= 100 && code <= 107) return { ...pen, ground: groundOf(basic[code - 92] ?? '') };
  const change = code === 4 ? { underline: detail !== '0' } : switches[code];
  return change ? { ...pen, ...change } : pen;
}

const switches: Record<number, Partial<Pen> | undefined> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  7: { inverse: true },
  9: { strike: true },
  21: { underline: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { strike: false },
  39: { ink: '' },
  49: { ground: '' },
};

// Black and white are what stands out least and most on some ground that is not ours: both are text here.
const basic: Ink[] = [
  ...(['strong', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'faint'] as const),
  'grey',
  ...(['bright-red', 'bright-green', 'bright-yellow', 'bright-blue', 'bright-magenta', 'bright-cyan'] as const),
  'strong',
];

/** A colour of the 256 or of all, and how many parameters it took; without an ink it was none. */
function extended(rest: string[], loose: boolean): { ink?: Ink; taken: number } {
  if (rest[0] === '5') return { ink: ofPalette(Number(rest[1] || 0)), taken: 2 };
  if (rest[0] !== '2') return { taken: 1 };
  // Between colons a colour space may come before the three.
  const three = (loose ? rest.slice(1, 4) : rest.slice(-3)).map((part) => Number(part || 0));
  const [r = 0, g = 0, b = 0] = three;
  return { ink: three.every((part) => part <= 255) ? nearest(r, g, b) : undefined, taken: 4 };
}

const cube = [0, 95, 135, 175, 215, 255];

function ofPalette(index: number): Ink | undefined {
  if (!(index <= 255)) return undefined;
  if (index < 16) return basic[index];
  if (index >= 232) {
    const level = 8 + (index - 232) * 10;
    return nearest(level, level, level);
  }
  const at = index - 16;
  const [r = 0, g = 0, b = 0] = [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((step) => cube[step]);
  return nearest(r, g, b);
}

/** The ink whose hue is nearest. A colour as it was told would be legible in one theme at most. */
function nearest(r: number, g: number, b: number): Ink {
  const [high, low] = [Math.max(r, g, b), Math.min(r, g, b)];
  const spread = high - low;
  const light = (high + low) / 2;
  if (spread < 32) return light < 64 ? 'strong' : light < 144 ? 'grey' : light < 232 ? 'faint' : 'strong';
  const turn = high === r ? ((g - b) / spread + 6) % 6 : high === g ? (b - r) / spread + 2 : (r - g) / spread + 4;
  const hue = hueOf(turn * 60);
  return light > 152 ? `bright-${hue}` : hue;
}

function hueOf(degrees: number): Hue {
  if (degrees < 20 || degrees >= 335) return 'red';
  if (degrees < 70) return 'yellow';
  if (degrees < 160) return 'green';
  if (degrees < 200) return 'cyan';
  return degrees < 262 ? 'blue' : 'magenta';
}

function groundOf(ink: Ink): Ground {
  if (ink === '') return '';
  const hue = ink.replace('bright-', '') as Hue;
  return hues.includes(hue) ? hue : 'grey';
}
