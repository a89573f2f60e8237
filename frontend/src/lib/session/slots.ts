/** What slots ask about the list that they are of. */
export interface Drawn {
  /** Where a line stands in the list now; -1 once it is gone. */
  indexOf(id: string): number;
  /** Whether a line is more than its text, so that no other takes its place. */
  keeps(id: string): boolean;
  /** Whether all lines must be left as they are, since a person holds something in them. */
  held(): boolean;
}

/**
 * Slots gives the lines that are drawn of a long list their keys. Where the end of the list is
 * followed all lines in view may change at once, and a line that is made anew costs several times
 * what it costs to write other words into one. So a line that comes into view below takes the key,
 * and with it the element, of one that has left it above.
 *
 * The key of each line that is drawn is asked for, from the first to the last without a gap.
 */
export class Slots {
  /** The slots of the lines that are being drawn, and of those that were drawn before them. */
  #now = new Map<string, number>();
  #before = new Map<string, number>();
  #free: number[] = [];
  #made = 0;
  #last = -1;

  constructor(private readonly of: Drawn) {}

  /** The key of the line at an index: its own id where it shares its place with no other line. */
  keyOf(id: string, index: number, shares = true): number | string {
    if (index !== this.#last && index !== this.#last + 1) this.#begin(index);
    this.#last = index;
    if (!shares) return id;
    const slot = this.#now.get(id) ?? this.#before.get(id) ?? this.#free.shift() ?? this.#made++;
    this.#now.set(id, slot);
    return slot;
  }

  /** What was drawn last is what has elements now; what of it lies above the first line is free. */
  #begin(first: number): void {
    this.#before = this.#now;
    this.#now = new Map();
    this.#free = [];
    if (this.of.held()) return;
    for (const [id, slot] of this.#before) {
      if (this.of.indexOf(id) < first && !this.of.keeps(id)) this.#free.push(slot);
    }
  }
}
