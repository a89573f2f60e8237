/** One line of a hunk. Numbers count from 1; 0 is no line on that side. */
export interface Line {
  kind: 'same' | 'add' | 'del';
  oldNumber: number;
  newNumber: number;
  text: string;
  /** The line is the last of its file and no line break follows it. */
  noBreak: boolean;
  /** What is said behind a line of which only the beginning was read. */
  rest?: string;
}

/** A run of lines that changed, with its surroundings. */
export interface Hunk {
  oldStart: number;
  oldCount: number;
  newStart: number;
  newCount: number;
  /** What the hunk lies in, as the diff's author gave it. */
  section: string;
  lines: Line[];
}

const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;

/**
 * Reads a unified diff of one file. Lines are counted off by the hunk's own
 * header, so that content which looks like a header stays content. Text that is
 * not part of a hunk is left out; a hunk that ends early keeps what it has.
 */
export function parseUnified(text: string): Hunk[] {
  const lines = text.split('\n');
  const hunks: Hunk[] = [];
  let at = 0;
  while (at < lines.length) {
    const match = header.exec(lines[at] ?? '');
    at++;
    if (!match) continue;
    const hunk: Hunk = {
      oldStart: Number(match[1]),
      oldCount: Number(match[2] ?? 1),
      newStart: Number(match[3]),
      newCount: Number(match[4] ?? 1),
      section: match[5] ?? '',
      lines: [],
    };
    at = readLines(lines, at, hunk);
    hunks.push(hunk);
  }
  return hunks;
}

function readLines(lines: string[], from: number, hunk: Hunk): number {
  let oldNumber = hunk.oldStart;
  let newNumber = hunk.newStart;
  let at = from;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const last = hunk.lines.at(-1);
    if (line.startsWith('\\')) {
      if (last) last.noBreak = true;
      continue;
    }
    const oldLeft = oldNumber < hunk.oldStart + hunk.oldCount;
    const newLeft = newNumber < hunk.newStart + hunk.newCount;
    if (!oldLeft && !newLeft) break;
    const text = line.slice(1);
    if (line.startsWith('-') && oldLeft) {
      hunk.lines.push({ kind: 'del', oldNumber: oldNumber++, newNumber: 0, text, noBreak: false });
    } else if (line.startsWith('+') && newLeft) {
      hunk.lines.push({ kind: 'add', oldNumber: 0, newNumber: newNumber++, text, noBreak: false });
    } else if ((line.startsWith(' ') || line === '') && oldLeft && newLeft) {
      hunk.lines.push({ kind: 'same', oldNumber: oldNumber++, newNumber: newNumber++, text, noBreak: false });
    } else {
      break;
    }
  }
  return at;
}
