import type { Bridge } from '../bridge/bridge';
import { sentence } from '../bridge/bridge';
import { colourTexts, takeColours } from '../diff/colours';
import { languageOf } from '../diff/languages';
import type { Coloured } from '../diff/paint';
import type { Line } from '../diff/parse';
import type { Place } from './places';
import { numbered } from '../ui/words';

/** How many lines are read at first, before the place and in all, and how many more at a time. */
const leadLines = 60;
const firstLines = 160;
const moreLines = 200;

const none: Coloured[] = [];

/** Excerpt is the part of a file around a place that was found. It is read from the file as it is now. */
export class Excerpt {
  place = $state.raw<Place | null>(null);
  lines = $state.raw<Line[]>([]);
  absolute = $state('');
  /** The file goes on behind what is shown. */
  more = $state(false);
  reading = $state(false);
  trouble = $state('');

  #generation = 0;
  #coloured = new Map<Line, Coloured[]>();
  #painted = $state(0);
  #stops: (() => void)[] = [];

  constructor(
    private readonly bridge: Bridge,
    private readonly sessionId: string,
  ) {}

  /** The number of the first line that is shown. */
  get first(): number {
    return this.lines[0]?.newNumber ?? 1;
  }

  coloursOf(line: Line): Coloured[] {
    void this.#painted;
    return this.#coloured.get(line) ?? none;
  }

  /** Shows the lines around a place. Resolves when they are there, or when it is known why they are not. */
  async open(place: Place): Promise<void> {
    const here = this.place?.path === place.path && this.lines.some((line) => line.newNumber === place.line);
    this.place = place;
    if (here) return;
    this.#leaveOff();
    this.lines = [];
    this.absolute = '';
    this.more = false;
    await this.#read(Math.max(1, place.line - leadLines), firstLines, (lines) => lines);
  }

  async earlier(): Promise<void> {
    const first = Math.max(1, this.first - moreLines);
    await this.#read(first, this.first - first, (lines) => [...lines, ...this.lines], true);
  }

  async later(): Promise<void> {
    await this.#read(this.first + this.lines.length, moreLines, (lines) => [...this.lines, ...lines]);
  }

  /** Stops waiting. What is shown stays. */
  cancel(): void {
    this.#generation++;
    this.reading = false;
  }

  close(): void {
    this.cancel();
    this.#leaveOff();
    this.place = null;
    this.lines = [];
    this.trouble = '';
  }

  async #read(first: number, count: number, join: (lines: Line[]) => Line[], before = false): Promise<void> {
    const place = this.place;
    if (!place) return;
    const generation = ++this.#generation;
    this.reading = true;
    this.trouble = '';
    try {
      const { sessionId } = this;
      const answer = await this.bridge.excerpt({ sessionId, path: place.path, first, count });
      if (generation !== this.#generation) return;
      const lines = answer.lines.map(({ text, left }, i): Line => {
        const line: Line = { kind: 'same', oldNumber: 0, newNumber: first + i, text, noBreak: false };
        if (left) line.rest = `… ${numbered(left, 'more character')}`;
        return line;
      });
      this.absolute = answer.absolute;
      this.lines = join(lines);
      if (!before) this.more = answer.more;
      this.#colour(lines);
    } catch (cause) {
      if (generation === this.#generation) this.trouble = sentence(cause);
    } finally {
      if (generation === this.#generation) this.reading = false;
    }
  }

  #colour(lines: Line[]) {
    const language = languageOf(this.place?.path ?? '');
    if (!language || !lines.length) return;
    const stop = colourTexts(language, [lines.map((line) => line.text)], (stretches) => {
      takeColours(stretches, [lines], this.#coloured);
      this.#painted++;
    });
    this.#stops.push(stop);
  }

  #leaveOff() {
    for (const stop of this.#stops.splice(0)) stop();
    this.#coloured.clear();
  }
}
