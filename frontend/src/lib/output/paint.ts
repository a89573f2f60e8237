import type { Attachment } from 'svelte/attachments';

import { element, show } from '../ui/nodes';
import { hiddenWords, type Part } from './parts';

/**
 * Draws the parts of a line into an element, as text and never as markup. For lines that come and go
 * by the hundred: a component for each part costs more than all of the rest.
 */
export function paint(parts: readonly Part[], here: number): Attachment {
  return (place) => place.replaceChildren(...parts.map((part) => nodeOf(part, here)));
}

function nodeOf(part: Part, here: number): Node {
  if (part.hex) {
    const chip = element('em', 'hid', hiddenWords(part));
    chip.title = part.hex;
    return chip;
  }
  if (part.match < 0 && part.look === '' && part.plain) return document.createTextNode(part.text);
  const around = part.match < 0 ? element('span', part.look) : element('mark', `hit ${part.look}`);
  around.classList.toggle('now', part.match >= 0 && part.match === here);
  if (part.plain) around.textContent = part.text;
  else show(part.text, around);
  return around;
}
