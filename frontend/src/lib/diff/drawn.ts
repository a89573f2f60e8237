import type { Attachment } from 'svelte/attachments';

import { element, show } from '../ui/nodes';
import type { Stretch } from './paint';

/** Draws the stretches of a line into an element. `marker` stands for what is hidden from eyes. */
export function drawn(stretches: readonly Stretch[], marker: string): Attachment {
  return (place) => {
    place.replaceChildren();
    for (const { marked, pieces } of stretches) {
      const around = marked ? place.appendChild(element('mark', '')) : place;
      for (const { text, hue } of pieces) show(text, hue ? around.appendChild(element('span', hue)) : around, marker);
    }
  };
}
