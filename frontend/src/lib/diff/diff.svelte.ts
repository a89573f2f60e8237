import { SvelteSet } from 'svelte/reactivity';

import { sentence } from '../bridge/bridge';
import { colourTexts, takeColours } from './colours';
import { type Gap, gapsOf, hiddenIn, type ReadContext, type Way, widen } from './gaps';
import { languageOf } from './languages';
import type { Coloured } from './paint';
import { type Hunk, type Line, parseUnified } from './parse';
import { type Layout, lineRows, type Row, rowBlocks } from './rows';
import { changesOf, type Run, runsOf } from './runs';
import { loadWords, pairLines, type Range, Words } from './words';

/** How many lines a hunk has that is folded at first, where hunks may be. */
const foldedLines = 400;

const none: Coloured[] = [];

/** The two sides of a hunk as text: what stood there, and what would. */
export function sides(hunk: Hunk): { before: Line[]; after: Line[] } {
  return {
    before: hunk.lines.filter((line) => line.kind !== 'add'),
    after: hunk.lines.filter((line) => line.kind !== 'del'),
  };
}

/** FileView is the change of one file as it is shown. Colours come when they are ready; nothing waits for them. */
export class FileView {
  readonly hunks: Hunk[];
  /** The changes, each a run of lines of a hunk. */
  readonly runs: Run[];
  gaps = $state.raw<Gap[]>([]);
  /** The gap that is being read, -1 for none. */
  reading = $state(-1);
  readonly folded: SvelteSet<number>;

  readonly #words: Words;
  #coloured = new Map<Line, Coloured[]>();
  #painted = $state(0);
  #rows = new Map<string, Row[]>();
  #stops: (() => void)[] = [];
  #changes: Map<Line, number> | undefined;

  constructor(
    private readonly path: string,
    unified: string,
    created: boolean,
    /** Whether hunks that are very long are folded at first. */
    folds: boolean,
  ) {
    this.hunks = parseUnified(unified);
    this.runs = runsOf(this.hunks);
    const pairs = new Map<Line, Line>();
    for (const hunk of this.hunks) pairLines(hunk.lines, pairs);
    this.#words = new Words(pairs);
    this.gaps = gapsOf(this.hunks, created);
    const long = this.hunks.flatMap((hunk, i) => (folds && hunk.lines.length > foldedLines ? [i] : []));
    this.folded = new SvelteSet(long);
  }

  /** How many digits the highest number of a line that is shown has. */
  get digits(): number {
    const last = this.gaps.at(-1);
    return last ? `${Math.max(last.old, last.now) - 1 + last.after.length}`.length : 1;
  }

  /** The colours of a line that are known by now. */
  coloursOf(line: Line): Coloured[] {
    void this.#painted;
    return this.#coloured.get(line) ?? none;
  }

  /** The words of a line that the other side does not have, as far as they are known. */
  wordsOf(line: Line): Range[] {
    void this.#painted;
    return this.#words.of(line);
  }

  /** The change that a line belongs to, -1 for one that stays. */
  changeOf(line: Line): number {
    this.#changes ??= changesOf(this.hunks, this.runs);
    return this.#changes.get(line) ?? -1;
  }

  /**
   * All rows, in blocks that are drawn one by one. `context` says that gaps can be asked for more, and
   * `choosing` that each change has a head of its own.
   */
  blocks(layout: Layout, context: boolean, choosing = false) {
    const rows: Row[] = [];
    let change = 0;
    for (const [index, hunk] of this.hunks.entries()) {
      const gap = this.gaps[index];
      if (!gap) continue;
      rows.push(...this.#lines(`after ${index} ${gap.after.length}`, gap.after, layout));
      const first = change;
      while (this.runs[change]?.hunk === index) change++;
      rows.push({ kind: 'hunk', hunk, index, gap, change: first });
      rows.push(...this.#lines(`before ${index} ${gap.before.length}`, gap.before, layout));
      if (this.folded.has(index)) rows.push({ kind: 'fold', hunk, index });
      else if (choosing) this.#apart(index, first, change, layout, rows);
      else for (const row of this.#lines(`${index}`, hunk.lines, layout)) rows.push(row);
    }
    const last = this.gaps.at(-1);
    if (last) {
      rows.push(...this.#lines(`end ${last.after.length}`, last.after, layout));
      if (context && (hiddenIn(last) > 0 || last.missing)) rows.push({ kind: 'end', gap: last });
    }
    return rowBlocks(rows, layout);
  }

  /** The rows of a hunk with the heads of the changes in it but the first, whose head is that of the hunk. */
  #apart(index: number, first: number, end: number, layout: Layout, rows: Row[]): void {
    const lines = this.hunks[index]?.lines ?? [];
    let at = 0;
    for (let change = first; change < end; change++) {
      if (change > first) rows.push({ kind: 'change', change });
      const to = change + 1 < end ? this.runs[change + 1]?.from : lines.length;
      for (const row of this.#lines(`${index} ${change}`, lines.slice(at, to), layout)) rows.push(row);
      at = to ?? at;
    }
  }

  // Rows that stay the same ones are not drawn again.
  #lines(name: string, lines: Line[], layout: Layout): Row[] {
    if (!lines.length) return [];
    const key = `${layout} ${name}`;
    let rows = this.#rows.get(key);
    if (!rows) this.#rows.set(key, (rows = lineRows(lines, layout)));
    return rows;
  }

  /** Shows more lines around a hunk. A gap that is read already is left alone. */
  async widen(index: number, way: Way, read: ReadContext): Promise<void> {
    const gap = this.gaps[index];
    if (!gap || this.reading >= 0 || hiddenIn(gap) <= 0 || gap.missing) return;
    this.reading = index;
    let wider: Gap;
    try {
      wider = await widen(gap, way, read);
    } catch (cause) {
      wider = { ...gap, missing: sentence(cause) };
    } finally {
      this.reading = -1;
    }
    this.gaps = this.gaps.with(index, wider);
    const fresh = [...wider.after, ...wider.before].filter((line) => ![...gap.after, ...gap.before].includes(line));
    this.#ask([fresh]);
  }

  /** Begins to look for colours and words. Without a grammar that can be read the text stays in one colour. */
  colour(): void {
    void loadWords().then(
      () => this.#painted++,
      () => {},
    );
    this.#ask(
      this.hunks.flatMap((hunk) => {
        const { before, after } = sides(hunk);
        return [before, after];
      }),
    );
  }

  #ask(texts: Line[][]): void {
    const language = languageOf(this.path);
    if (!language) return;
    const stop = colourTexts(
      language,
      texts.map((lines) => lines.map((line) => line.text)),
      (stretches) => {
        takeColours(stretches, texts, this.#coloured);
        this.#painted++;
      },
    );
    this.#stops.push(stop);
  }

  /** Ends what is under way: nobody looks any more. */
  close(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }
}
