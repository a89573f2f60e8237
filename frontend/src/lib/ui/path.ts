import { type Hiding, nothingHidden } from './marker';
import { countHidden, type Segment, segments } from './visible';

/** A path cut where it may wrap: after / \ _ - . and before a capital that starts a word. */
export interface PathParts {
  folder: Segment[];
  name: Segment[];
}

/**
 * Splits a path into its quiet folder and its strong name, each in pieces between which a line may
 * break. `hiding` says how what is hidden from eyes stands in it.
 */
export function pathParts(path: string, hiding: Hiding = nothingHidden): PathParts {
  const trimmed = path.replace(/[/\\]+$/, '');
  const cut = Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('\\')) + 1;
  const parts: PathParts = { folder: [], name: [] };
  let at = 0;
  for (const segment of segments(path, 'path', [], hiding)) {
    const inFolder = segment.text.slice(0, Math.max(cut - at, 0));
    at += segment.text.length;
    parts.folder.push(...cutUp(segment, inFolder));
    parts.name.push(...cutUp(segment, segment.text.slice(inFolder.length)));
  }
  return parts;
}

function cutUp(segment: Segment, text: string): Segment[] {
  if (segment.code || segment.secret) return text ? [segment] : [];
  return pieces(text).map((piece) => ({ ...segment, text: piece }));
}

function pieces(text: string): string[] {
  return text.split(/(?<=[/\\_\-.])|(?<=[a-z0-9])(?=[A-Z])/).filter((piece) => piece !== '');
}

/** Whether a subject is to be set as a path rather than as a command or an address. */
export function looksLikePath(text: string): boolean {
  return /^[^\s"'$&|;<>()]+$/.test(text) && !text.includes('://');
}

/** What a list shows of a long path: its beginning and its end, which tell it from others. */
export function shortened(path: string, maxShown = 120): string {
  const characters = [...path];
  // Tokens are wide, so of a path that holds some less is shown.
  const most = countHidden(path, 'path') ? Math.min(maxShown, 48) : maxShown;
  if (characters.length <= most) return path;
  const end = Math.ceil(most * 0.6);
  return `${characters.slice(0, most - end).join('')}…${characters.slice(-end).join('')}`;
}
