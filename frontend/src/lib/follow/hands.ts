import type { Attachment } from 'svelte/attachments';

import { press } from '../ui/keys';
import { scrollerAt } from '../ui/near';
import { followKeys } from './keys';

/** What is told of a person's hands. */
export interface Handled {
  /** They did something that scrolls. */
  touch(): void;
  /** They go up. */
  up(): void;
}

/** Tells what a person does to the box that it is put on, which scrolls. It is told before the box moves. */
export function hands(of: Handled): Attachment<HTMLElement> {
  return (box) => {
    // What scrolls inside the box is not the box, and from its beginning nothing leads up.
    const up = ({ target }: Event) => {
      const here = target instanceof Element && scrollerAt(target) === box;
      if (here && box.scrollTop > 0) of.up();
    };
    const touch = () => of.touch();
    const told = {
      wheel: (event: WheelEvent) => {
        touch();
        if (event.deltaY < 0 && !event.ctrlKey && !event.shiftKey) up(event);
      },
      keydown: (event: KeyboardEvent) => {
        touch();
        press(event, followKeys, {
          up: () => {
            up(event);
            return false;
          },
        });
      },
      pointerdown: touch,
      pointermove: (event: PointerEvent) => event.buttons && touch(),
      touchmove: touch,
    };
    const listeners = Object.entries(told) as [string, (event: Event) => void][];
    for (const [name, tell] of listeners) box.addEventListener(name, tell, { passive: true });
    return () => {
      for (const [name, tell] of listeners) box.removeEventListener(name, tell);
    };
  };
}
