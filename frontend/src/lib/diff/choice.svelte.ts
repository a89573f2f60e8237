import { SvelteSet } from 'svelte/reactivity';

import type { FileDiff } from '../bridge/dto';
import { numbered } from '../ui/words';

/**
 * Choice is which changes of some files are kept: all of them at first. A change is a run of lines that
 * changed; two of them may be near enough to share a hunk.
 */
export class Choice {
  readonly total: number;
  #left = new SvelteSet<string>();

  constructor(private readonly counts: readonly number[]) {
    this.total = counts.reduce((sum, count) => sum + count, 0);
  }

  get kept(): number {
    return this.total - this.#left.size;
  }

  /** Whether something was left out. */
  get partial(): boolean {
    return this.#left.size > 0;
  }

  /** How much is kept: "1 of 2 changes". */
  get words(): string {
    return `${this.kept} of ${numbered(this.total, 'change')}`;
  }

  /** How many changes of a file can be chosen among. */
  of(file: number): number {
    return this.counts[file] ?? 0;
  }

  /** The number of a change among those of all files, from 1. */
  number(file: number, change: number): number {
    return this.counts.slice(0, file).reduce((sum, count) => sum + count, change + 1);
  }

  /** Whether a change is kept; -1 is what does not change. */
  keeps(file: number, change: number): boolean {
    return !this.#left.has(key(file, change));
  }

  flip(file: number, change: number): void {
    if (change < 0 || change >= this.of(file)) return;
    if (!this.#left.delete(key(file, change))) this.#left.add(key(file, change));
  }

  /** What an answer sends: for each file the changes that are kept, and nothing where those are all. */
  get refs(): number[][] {
    if (!this.partial) return [];
    return this.counts.map((count, file) =>
      Array.from({ length: count }, (_, change) => change).filter((change) => this.keeps(file, change)),
    );
  }
}

const key = (file: number, change: number) => `${file} ${change}`;

/** The choice that changes offer, null where there is none: something of them is not shown, or there is one alone. */
export function choiceOf(files: readonly FileDiff[]): Choice | null {
  if (files.some(({ changes }) => changes === 0)) return null;
  const choice = new Choice(files.map(({ changes }) => changes));
  return choice.total > 1 ? choice : null;
}

/** Picking is the choice as one file draws it. */
export interface Picking {
  choice: Choice;
  file: number;
  /** The change that a key is about. */
  current: number;
  onflip: (change: number) => void;
}
