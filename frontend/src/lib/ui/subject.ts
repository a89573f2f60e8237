import { beforeMarker } from './marker';
import { countHidden } from './visible';

/** What a list shows of a long subject: its beginning, and how many characters more the opened card shows. */
export function listed(text: string, maxShown = 160): { text: string; more: number } {
  if (text.length <= maxShown) return { text, more: 0 };
  const characters = [...text];
  if (characters.length <= maxShown) return { text, more: 0 };
  // A space at the cut is no space at an edge.
  let shown = maxShown;
  while (shown > 1 && characters[shown - 1] === ' ') shown--;
  const end = characters.slice(0, shown).join('').length;
  const head = text.slice(0, beforeMarker(text, end) || end);
  return { text: head, more: characters.length - [...head].length };
}

/**
 * What a list shows of a subject. Tokens are wide, so of a text that holds some less is shown; the
 * spaces of a path are drawn as tokens where they would pass for nothing.
 */
export function listedSubject(text: string): { text: string; more: number } {
  return listed(text, countHidden(text, 'code') || countHidden(text, 'path') > 8 ? 60 : 160);
}

/** A title for one line: the page cuts a plain one at the edge, one with tokens is cut between characters. */
export function titled(title: string): string {
  const plain = title.trim();
  if (!countHidden(plain, 'line')) return plain;
  const { text, more } = listed(plain, 60);
  return more ? `${text}…` : text;
}

/** Whether a title says already who it is about: a session may be named after its caller. */
export function namedAfter(title: string, name: string): boolean {
  return title === name || title.startsWith(`${name}, `);
}
