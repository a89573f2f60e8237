import type { Ask, Stretch, Told } from './jobs';
import type { Coloured } from './paint';
import type { Line } from './parse';

/** Takes the colours of some lines in. */
export type TakeColours = (stretches: Stretch[]) => void;

/** Puts the colours of texts that were asked for with their lines. */
export function takeColours(stretches: Stretch[], texts: Line[][], into: Map<Line, Coloured[]>): void {
  for (const { text, first, lines } of stretches) {
    for (const [i, colours] of lines.entries()) {
      const line = texts[text]?.[first + i];
      if (line && colours.length) into.set(line, colours);
    }
  }
}

/** The part of a worker that is used here. */
export type Helper = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

const idleMs = 60_000;

/**
 * Colourer has texts coloured by a worker, which begins with the first text and ends when
 * nothing was asked for a while. Where it cannot run, text stays in one colour.
 */
export class Colourer {
  #helper: Helper | undefined;
  #asked = new Map<number, TakeColours>();
  #lastId = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly make: () => Helper) {}

  /** Asks for the colours of texts, each told as it becomes known. Returns the function that leaves off. */
  colour(language: string, texts: string[], take: TakeColours): () => void {
    const helper = this.#start();
    if (!helper) return () => {};
    const id = ++this.#lastId;
    this.#asked.set(id, take);
    helper.postMessage({ id, language, texts } satisfies Ask);
    return () => {
      if (this.#asked.delete(id)) this.#helper?.postMessage({ id, drop: true } satisfies Ask);
    };
  }

  #start(): Helper | undefined {
    clearTimeout(this.#idle);
    if (this.#helper) return this.#helper;
    try {
      this.#helper = this.make();
    } catch {
      return undefined;
    }
    this.#helper.onmessage = ({ data }: MessageEvent<Told>) => this.#told(data);
    this.#helper.onerror = () => this.#end();
    return this.#helper;
  }

  #told(told: Told) {
    if (!('done' in told)) {
      this.#asked.get(told.id)?.(told.stretches);
      return;
    }
    this.#asked.delete(told.id);
    clearTimeout(this.#idle);
    if (this.#asked.size === 0) this.#idle = setTimeout(() => this.#end(), idleMs);
  }

  #end() {
    this.#helper?.terminate();
    this.#helper = undefined;
    this.#asked.clear();
  }
}

const ours = new Colourer(() => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }));

/** Has texts coloured, as Colourer.colour does. */
export function colourTexts(language: string, texts: string[][], take: TakeColours): () => void {
  return ours.colour(
    language,
    texts.map((lines) => lines.join('\n')),
    take,
  );
}
