import type { Found, MatchSpan } from '../bridge/dto';

/** A place that a search found: a line of a file, or with line 0 the file itself. */
export interface Place {
  path: string;
  line: number;
  /** The line as it was when it was found, or what was kept of it, with the matches in it. */
  text: string;
  spans: MatchSpan[];
}

/** Every place of what was found, in the order in which it is shown. */
export function placesOf(found: Found): Place[] {
  if (found.kind === 'files') return found.files.map(({ path }) => ({ path, line: 0, text: '', spans: [] }));
  return found.groups.flatMap(({ path, lines }) => lines.map((line) => ({ path, ...line })));
}

/** The matches of a place in the line as it is now; none when it is another line, or only its middle was kept. */
export function spansNow(place: Place, now: string): MatchSpan[] {
  return place.text !== '' && now.startsWith(place.text.replace(/…$/, '')) ? drawable(place.spans, now.length) : [];
}

/**
 * Whether the line as it is now is not the one that was found; now is undefined where the file has
 * no such line. A line with bytes that are no text is not compared, since they cannot be told apart.
 */
export function isAnotherLine(place: Place, now: string | undefined): boolean {
  const kept = place.text.replace(/^…|…$/g, '');
  return kept !== '' && !/\uFFFD/.test(kept) && !now?.includes(kept);
}

/** The spans of a line as they can be drawn: in order, apart, and inside the text. */
export function drawable(spans: MatchSpan[], length: number): { from: number; to: number }[] {
  const drawn: { from: number; to: number }[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const from = Math.max(span.from, drawn.at(-1)?.to ?? 0);
    const to = Math.min(span.to, length);
    if (from < to) drawn.push({ from, to });
  }
  return drawn;
}
