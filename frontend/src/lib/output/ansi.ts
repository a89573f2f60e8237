import { lookOf, type Pen, plainPen, turned } from './pen';

/** A piece of a line in one look. Its text may hold control characters: draw it with Visible. */
export interface Run {
  text: string;
  /** Class names, "" for plain text. */
  look: string;
}

/** A line as a terminal would have left it. */
export interface Line {
  runs: Run[];
  /** How many characters of it are not in its runs, since there are too many. */
  left: number;
}

/** How many characters of a line are drawn. */
export const maxColumns = 4_000;
/** How wide the terminal is thought to be: beyond what was written, nothing moves further to the right. */
const terminalColumns = 240;
/** How many characters of a line are looked at when something in it moves or is coloured. */
export const maxScanned = 200_000;

/**
 * Reads one line of what a program printed, as data: colours become looks out of a fixed list,
 * never markup. What moves within the line is done (a carriage return, a backspace, erasing), so that of
 * a progress bar its last state is left; what would move elsewhere, titles, links' addresses and all
 * other sequences are dropped. Whatever is no whole sequence stays as text, with its escape
 * character. The work is bounded by the length of the line, and by maxScanned where it is longer.
 *
 * `pen` is what the line before it left behind; the answer has the one for the line after it.
 */
export function line(text: string, pen: Pen = plainPen): Line & { pen: Pen } {
  if (!special.test(text)) return { ...cut(text, lookOf(pen)), pen };
  const { part, left } = scanned(text);
  const row = new Row(pen);
  for (let at = 0; at < part.length;) {
    token.lastIndex = at;
    const next = token.exec(part);
    if (!next) {
      row.put(part.slice(at));
      break;
    }
    if (next.index > at) row.put(part.slice(at, next.index));
    row.act(next);
    at = next.index + next[0].length;
  }
  const told = row.told();
  return { ...told, left: told.left + left, pen: row.pen };
}

/** Reads a text line by line. A line break at its end begins no further line. */
export function lines(text: string, pen: Pen = plainPen): { lines: Line[]; pen: Pen } {
  const found: Line[] = [];
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    const { runs, left, pen: after } = line(text.slice(from, to), pen);
    found.push({ runs, left });
    pen = after;
    from = to + 1;
  }
  return { lines: found, pen };
}

/** What a line says without its looks, as it is copied. */
export function textOf({ runs }: Line): string {
  return runs.map((run) => run.text).join('');
}

// eslint-disable-next-line no-control-regex
const special = /[\x1b\r\b]/;

// In turn: a carriage return, a backspace, a sequence that begins with a bracket, a string such as a
// title, and the other short ones. A string ends where another escape begins, so that none is looked
// through twice, and a lone escape is what is left.
const token = new RegExp(
  [
    '(?<back>[\\r\\b])',
    '\\x1b\\[(?<numbers>[0-?]*)(?<between>[ -/]*)(?<end>[@-~])',
    '\\x1b[\\]PX^_][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)',
    '\\x1b[ -/]*(?![[\\]PX^_])[0-~]',
    '(?<lone>\\x1b)',
  ].join('|'),
  'g',
);

// Of a line without end the last state is shown when it is one that is written anew again and
// again, else its beginning.
function scanned(text: string): { part: string; left: number } {
  if (text.length <= maxScanned) return { part: text, left: 0 };
  const anew = text.indexOf('\r', text.length - maxScanned) + 1;
  if (anew > 0 && anew < text.length) return { part: text.slice(anew), left: 0 };
  return { part: text.slice(0, maxScanned), left: text.length - maxScanned };
}

function cut(text: string, look: string): Line {
  if (text === '') return { runs: [], left: 0 };
  if (text.length <= maxColumns) return { runs: [{ text, look }], left: 0 };
  const last = text.charCodeAt(maxColumns - 1);
  const shown = last >= 0xd800 && last < 0xdc00 ? maxColumns - 1 : maxColumns;
  return { runs: [{ text: text.slice(0, shown), look }], left: text.length - shown };
}

/** Row is the line as it is being written: a character and a look for each column. */
class Row {
  #cells: string[] = [];
  #looks: string[] = [];
  #at = 0;
  /** How far it was written, which may be beyond what is kept. */
  #width = 0;

  constructor(public pen: Pen) {}

  put(text: string) {
    const look = lookOf(this.pen);
    for (const character of text) {
      if (this.#at < maxColumns) {
        this.#pad();
        this.#cells[this.#at] = character;
        this.#looks[this.#at] = look;
      }
      this.#at++;
    }
    this.#width = Math.max(this.#width, this.#at);
  }

  act({ 0: all, groups = {} }: RegExpExecArray) {
    const { numbers, between, end, back, lone } = groups;
    if (back === '\r') this.#at = 0;
    else if (back) this.#move(this.#at - 1);
    else if (lone) this.put(all);
    else if (end && !between && numbers !== undefined && !/[<-?]/.test(numbers)) this.#sequence(end, numbers);
  }

  #sequence(end: string, numbers: string) {
    const count = Number.parseInt(numbers, 10) || 0;
    if (end === 'm') this.pen = turned(this.pen, numbers);
    else if (end === 'K') this.#erase(count);
    else if (end === 'C') this.#move(this.#at + Math.max(1, count));
    else if (end === 'D') this.#move(this.#at - Math.max(1, count));
    else if (end === 'G') this.#move(Math.max(1, count) - 1);
  }

  #move(to: number) {
    this.#at = Math.max(0, Math.min(to, Math.max(this.#width, terminalColumns)));
  }

  #erase(what: number) {
    if (what === 0) {
      this.#width = Math.min(this.#width, this.#at);
      this.#cells.length = Math.min(this.#cells.length, this.#at);
      this.#looks.length = this.#cells.length;
    } else if (what === 2) {
      this.#width = this.#cells.length = this.#looks.length = 0;
    } else if (what === 1) {
      this.#cells.fill(' ', 0, this.#at + 1);
      this.#looks.fill('', 0, this.#at + 1);
    }
  }

  // What was stepped over is empty.
  #pad() {
    while (this.#cells.length < this.#at) {
      this.#cells.push(' ');
      this.#looks.push('');
    }
  }

  told(): Line {
    const runs: Run[] = [];
    this.#cells.forEach((character, i) => {
      const look = this.#looks[i] ?? '';
      const last = runs.at(-1);
      if (last?.look === look) last.text += character;
      else runs.push({ text: character, look });
    });
    return { runs, left: Math.max(0, this.#width - maxColumns) };
  }
}
