// Elements that are made one by one, for lines that come and go by the hundred: a component for
// each of their parts costs more than all of the rest. Foreign text goes in as text, never as markup.
import { segments } from './visible';

export function element(name: string, look: string, text = ''): HTMLElement {
  const made = document.createElement(name);
  made.className = look;
  if (text) made.textContent = text;
  return made;
}

/** Puts foreign text into an element, with each character that would not be seen as a token, as Visible draws it. */
export function show(text: string, into: Element): void {
  const parts = segments(text);
  if (parts.length === 1 && !parts[0]?.code) into.append(text);
  else into.append(...parts.map(tokenOf));
}

function tokenOf({ text, code, name }: ReturnType<typeof segments>[number]): Node {
  if (!code) return document.createTextNode(text);
  const token = element('span', 'tok', code);
  token.title = `${code} ${name}`;
  return token;
}
