import { isLetter, isPress, isWriting, systemKey } from '../ui/keys';

/** How long nothing may have been pressed before an answer counts. */
export const guardMs = 400;

/** How long no letter may have been pressed before one counts: longer than the gaps of whoever types slowly. */
export const typedMs = 600;

/** How long a single key waits for another one: in a word, none of them is an answer. */
export const aloneMs = 400;

/**
 * Guard keeps an answer from landing on a card that the person has not seen, and keys
 * that were typed for something else from being an answer. After a card has changed, or
 * the window has come to the front, nothing counts until the person has been quiet for a
 * moment: whatever is pressed meanwhile begins that moment anew. A click counts only
 * when it was also begun on this card, and a key only when no letter came shortly before
 * it and none comes shortly after.
 */
export class Guard {
  open = $state(true);
  /** Grows with every quiet period, so that its line is drawn anew and nothing held goes on. */
  beat = $state(0);
  /** How long the quiet period is that began last. */
  quietMs = $state(guardMs);
  /** The key that was pressed and waits to be alone, "" for none. */
  taking = $state('');
  /** Several keys came together, so none was taken. */
  typed = $state(false);

  #quiet: ReturnType<typeof setTimeout> | undefined;
  #alone: ReturnType<typeof setTimeout> | undefined;
  #letters: ReturnType<typeof setTimeout> | undefined;
  /** A letter was pressed shortly before, whether or not it was taken. */
  #lately = false;
  /** A pointer went down on the answer bar, and nothing disturbed since. */
  #pressed = false;
  /** When the quiet period ends. */
  #until = 0;
  #system = new Set<string>();

  /** Starts the quiet period of a card that has changed. */
  arm(): void {
    this.typed = false;
    this.#disturb(guardMs);
  }

  /** Notes that a pointer went down on the answer bar. */
  press(): void {
    this.#pressed = this.open;
  }

  /** Whether a click counts. A click without a pointer comes from the keyboard. */
  passes(click: { detail: number }): boolean {
    return this.open && (click.detail === 0 || this.#pressed);
  }

  /** Does what a key asks once it has stayed alone. */
  take(key: string, act: () => void): void {
    this.taking = key;
    this.typed = false;
    clearTimeout(this.#alone);
    this.#alone = setTimeout(() => {
      this.taking = '';
      act();
    }, aloneMs);
  }

  /** Sees every key before anything else does. */
  sees(event: KeyboardEvent, answers: (event: KeyboardEvent) => boolean): void {
    const system = systemKey(event);
    if (system) this.#system.add(system);
    if (event.repeat || isWriting(event.target) || event.ctrlKey || event.metaKey) return;
    // Not every engine tells of such a key as a modifier of the letter.
    const held = this.#system.size > 0;
    if (held) event.preventDefault();
    if (!isLetter(event) && !isPress(event)) return;
    const lately = this.#lately;
    const alone = this.taking === '' && !lately && !held && (answers(event) || isPress(event));
    if (isLetter(event)) this.#letter();
    if (this.open && alone) return;
    this.typed = this.taking !== '' || (this.open && lately);
    this.#disturb(typedMs);
  }

  /** Sees every key that is let go. */
  lets(event: KeyboardEvent): void {
    this.#system.delete(systemKey(event));
  }

  /** Sees every press of the pointer. */
  points(): void {
    if (this.taking) this.typed = true;
    if (!this.open || this.taking) this.#disturb(guardMs);
  }

  /** The window came to the front: neither the press that brought it there nor what goes on being typed is an answer. */
  fronted(): void {
    this.#system.clear();
    this.#disturb(typedMs);
  }

  /** Ends the timers with the view. */
  stop(): void {
    clearTimeout(this.#quiet);
    clearTimeout(this.#alone);
    clearTimeout(this.#letters);
    this.#lately = false;
    this.#system.clear();
    this.taking = '';
    this.#until = 0;
    this.open = true;
  }

  #letter(): void {
    clearTimeout(this.#letters);
    this.#lately = true;
    this.#letters = setTimeout(() => (this.#lately = false), typedMs);
  }

  #disturb(ms: number): void {
    clearTimeout(this.#quiet);
    clearTimeout(this.#alone);
    this.taking = '';
    this.open = false;
    this.beat++;
    // A card that changes does not shorten what whoever types has to wait.
    this.quietMs = Math.max(ms, this.#until - performance.now());
    this.#until = performance.now() + this.quietMs;
    this.#pressed = false;
    this.#quiet = setTimeout(() => (this.open = true), this.quietMs);
  }
}
