import type { ApprovalCard } from '../bridge/dto';

/**
 * Ahead is the reading of one card that was begun before the list told of it, so that both
 * take the time of one. It is used once, and given up as soon as anything else happens: what
 * is shown is never older than what was told of it.
 */
export class Ahead {
  #id = '';
  #card: Promise<ApprovalCard> | null = null;

  constructor(private readonly read: (id: string) => Promise<ApprovalCard>) {}

  begin(id: string): Promise<ApprovalCard> {
    this.#id = id;
    this.#card = this.read(id);
    // Whoever takes it is told of its fault; where nobody does, nobody is to know.
    this.#card.catch(() => {});
    return this.#card;
  }

  /** The card, as it was read ahead or else as it is read now. */
  take(id: string): Promise<ApprovalCard> {
    const card = id === this.#id ? this.#card : null;
    this.drop();
    return card ?? this.read(id);
  }

  drop(): void {
    this.#id = '';
    this.#card = null;
  }
}
