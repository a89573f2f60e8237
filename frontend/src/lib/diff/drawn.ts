import type { Attachment } from 'svelte/attachments';

import type { Hiding } from '../ui/marker';
import { element, show } from '../ui/nodes';
import type { Stretch } from './paint';

/** Draws the stretches of a line into an element. `hiding` says how what is hidden from eyes stands in it. */
export function drawn(stretches: readonly Stretch[], hiding: Hiding): Attachment {
  return (place) => {
    place.replaceChildren();
    for (const { marked, pieces } of stretches) {
      const around = marked ? place.appendChild(element('mark', '')) : place;
      for (const { text, hue } of pieces) show(text, hue ? around.appendChild(element('span', hue)) : around, hiding);
    }
  };
}
