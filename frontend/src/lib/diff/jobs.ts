import { colourText } from './highlight';
import type { Coloured } from './paint';

/** What the page asks of the worker: texts to colour, or to leave off with them. */
export type Ask = { id: number; language: string; texts: string[] } | { id: number; drop: true };

/** The colours of some lines of a text. */
export interface Stretch {
  text: number;
  first: number;
  lines: Coloured[][];
}

/** What the worker tells: colours of some lines, or that all are told. */
export type Told = { id: number; stretches: Stretch[] } | { id: number; done: true };

/** How many lines are told at once: who hears of them draws anew what is in view. */
const toldLines = 400;

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
    let stretches: Stretch[] = [];
    let count = 0;
    for (const [text, content] of texts.entries()) {
      for await (const { first, lines } of colourText(content, language)) {
        stretches.push({ text, first, lines });
        count += lines.length;
        if (count < toldLines) continue;
        this.tell({ id, stretches });
        [stretches, count] = [[], 0];
        await turn();
        if (this.#dropped.has(id)) return;
      }
    }
    if (stretches.length) this.tell({ id, stretches });
  }
}
