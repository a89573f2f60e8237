/** How long a card that took the place of another takes no answer. */
export const guardMs = 400;

/**
 * Guard keeps an answer from landing on a card that the person has not seen:
 * for a moment after the card changed nothing counts, and a click counts only
 * when it was also begun on this card.
 */
export class Guard {
  open = $state(true);
  /** Grows with every change of card, so that what was begun before can be told. */
  generation = $state(0);

  #timer: ReturnType<typeof setTimeout> | undefined;
  #pressed = -1;

  /** Starts the quiet period. */
  arm(): void {
    clearTimeout(this.#timer);
    this.open = false;
    this.generation++;
    this.#pressed = -1;
    this.#timer = setTimeout(() => (this.open = true), guardMs);
  }

  /** Notes that a pointer went down on the answer bar. */
  press(): void {
    this.#pressed = this.open ? this.generation : -1;
  }

  /** Whether a click counts. A click without a pointer comes from the keyboard. */
  passes(click: { detail: number }): boolean {
    if (!this.open) return false;
    return click.detail === 0 || this.#pressed === this.generation;
  }

  /** Ends the timer with the view. */
  stop(): void {
    clearTimeout(this.#timer);
    this.open = true;
  }
}
