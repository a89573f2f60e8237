import { type Component, mount, unmount } from 'svelte';
import type { Attachment } from 'svelte/attachments';

type Icon = Component<{ class?: string }>;

const drawn = new Map<Icon, Element>();

/** The icon as an element of its own. It is drawn once, and copied from then on. */
function copyOf(icon: Icon): Element {
  let first = drawn.get(icon);
  if (!first) {
    const desk = document.createElement('div');
    const made = mount(icon, { target: desk, props: { class: 'i sz' } });
    const element = desk.firstElementChild;
    if (!element) throw new Error('an icon drew nothing');
    first = element.cloneNode(true) as Element;
    drawn.set(icon, first);
    void unmount(made);
  }
  return first.cloneNode(true) as Element;
}

/**
 * Puts an icon into an element. For lists whose lines come and go by the hundred: drawing two
 * icons anew for each costs more than the rest of the line.
 */
export function stamp(icon: Icon): Attachment {
  return (place) => place.replaceChildren(copyOf(icon));
}
