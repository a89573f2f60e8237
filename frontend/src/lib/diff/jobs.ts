import { colourText } from './highlight';
import type { Coloured } from './paint';

/** What the page asks of the worker: texts to colour, or to leave off with them. */
export type Ask = { id: number; language: string; texts: string[] } | { id: number; drop: true };

/** What the worker tells: colours of some lines of a text, or that all are told. */
export type Told = { id: number; text: number; first: number; lines: Coloured[][] } | { id: number; done: true };

const turn = () => new Promise<void>((resolve) => setTimeout(resolve));

/** The work of the worker, one question after the other, the latest first: it is what is looked at. */
export class Jobs {
  #waiting: Exclude<Ask, { drop: true }>[] = [];
  #dropped = new Set<number>();
  #busy = false;

  constructor(private readonly tell: (told: Told) => void) {}

  take(ask: Ask): void {
    if ('drop' in ask) {
      this.#dropped.add(ask.id);
      return;
    }
    this.#waiting.push(ask);
    if (!this.#busy) void this.#work();
  }

  async #work(): Promise<void> {
    this.#busy = true;
    for (let job = this.#waiting.pop(); job; job = this.#waiting.pop()) {
      // Without colours a text is all there, so whatever went wrong is no trouble.
      await this.#colour(job).catch(() => {});
      this.#dropped.delete(job.id);
      this.tell({ id: job.id, done: true });
    }
    this.#busy = false;
  }

  async #colour({ id, language, texts }: Exclude<Ask, { drop: true }>): Promise<void> {
    for (const [text, content] of texts.entries()) {
      for await (const { first, lines } of colourText(content, language)) {
        this.tell({ id, text, first, lines });
        await turn();
        if (this.#dropped.has(id)) return;
      }
    }
  }
}
