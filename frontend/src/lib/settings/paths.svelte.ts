import { sentence } from '../bridge/bridge';
import type { PathGroup, PathRules, PathVerdict } from '../bridge/dto';
import type { Live } from '../bridge/live.svelte';
import { matches } from './matching';

/** How long the person may stop writing before a path is tried. */
export const tryMs = 120;

/** The groups with the patterns that a filter leaves; a row is found by its words or by a pattern. */
export function groupsWith(groups: PathGroup[], filter: string): PathGroup[] {
  return groups
    .map((group) => ({
      ...group,
      rows: group.rows
        .map((row) => ({
          ...row,
          patterns: row.patterns.filter((one) =>
            matches(filter, [row.words, group.label, one.text, one.systems, ...one.except]),
          ),
        }))
        .filter((row) => row.patterns.length),
    }))
    .filter((group) => group.rows.length);
}

/** ProtectedPaths is the rules of paths, and a path that is held against them. */
export class ProtectedPaths {
  rules = $state.raw<PathRules | null>(null);
  trouble = $state('');
  filter = $state('');
  /** The path that is tried, and what it would be; null while nothing is. */
  tried = $state('');
  verdict = $state.raw<PathVerdict | null>(null);
  wrong = $state('');
  groups = $derived(groupsWith(this.rules?.groups ?? [], this.filter));
  count = $derived(
    this.rules?.groups.flatMap((group) => group.rows).reduce((sum, row) => sum + row.patterns.length, 0),
  );

  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking = 0;

  constructor(readonly live: Live) {}

  async read(): Promise<void> {
    try {
      this.rules = await this.live.bridge.pathRules();
      this.trouble = '';
    } catch (cause) {
      this.trouble = sentence(cause);
    }
    if (this.tried.trim()) void this.#ask();
  }

  /** Tries another path, once the person has stopped writing. */
  try(path: string): void {
    this.tried = path;
    this.wrong = '';
    clearTimeout(this.#timer);
    if (path.trim()) {
      this.#timer = setTimeout(() => void this.#ask(), tryMs);
      return;
    }
    this.#asking++;
    this.verdict = null;
  }

  /** An answer to what is not in the field any more is let go. */
  async #ask(): Promise<void> {
    const mine = ++this.#asking;
    try {
      const verdict = await this.live.bridge.tryPath({ path: this.tried });
      if (mine !== this.#asking) return;
      this.verdict = verdict;
      this.wrong = '';
    } catch (cause) {
      if (mine !== this.#asking) return;
      this.verdict = null;
      this.wrong = sentence(cause);
    }
  }
}
