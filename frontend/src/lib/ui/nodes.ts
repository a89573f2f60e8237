// Elements that are made one by one, for lines that come and go by the hundred: a component for
// each of their parts costs more than all of the rest. Foreign text goes in as text, never as markup.
import { chipTitle, chipWords } from './marker';
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
export function show(text: string, into: Element, marker = ''): void {
  into.append(...segments(text, 'text', [], marker).map(nodeOf));
}

function nodeOf({ text, code, name, secret }: Segment): Node | string {
  if (!code && !secret) return text;
  const token = secret ? element('span', 'hid', chipWords) : element('span', 'tok', code);
  token.title = secret ? chipTitle : `${code} ${name}`;
  return token;
}
