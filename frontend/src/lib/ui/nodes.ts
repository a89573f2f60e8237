// Elements that are made one by one, for lines that come and go by the hundred: a component for
// each of their parts costs more than all of the rest. Foreign text goes in as text, never as markup.
import { chipTitle, chipWords, type Hiding, nothingHidden, revealedTitle } from './marker';
import { type Segment, segments } from './visible';

export function element(name: string, look: string, text = ''): HTMLElement {
  const made = document.createElement(name);
  made.className = look;
  if (text) made.textContent = text;
  return made;
}

/**
 * Puts foreign text into an element as Visible draws it: with each character that would not be seen
 * as a token, and with a chip for each marker of what is hidden from eyes.
 */
export function show(text: string, into: Element, hiding: Hiding = nothingHidden): void {
  into.append(...segments(text, 'text', [], hiding).map(nodeOf));
}

function nodeOf({ text, code, name, secret, revealed }: Segment): Node | string {
  if (secret) return titled('hid', chipWords, chipTitle);
  if (code) return titled('tok', code, `${code} ${name}`);
  return revealed ? titled('rev', text, revealedTitle) : text;
}

function titled(look: string, text: string, title: string): HTMLElement {
  const made = element('span', look, text);
  made.title = title;
  return made;
}
