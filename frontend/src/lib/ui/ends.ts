/** How far below the lower edge of a box something may end and is in view all the same, in pixels. */
const slack = 8;

/** Where in the window what is shown of a box ends. */
export const foldOf = (box: HTMLElement): number => box.getBoundingClientRect().bottom + slack;

/** Whether a box shows all that it holds. */
export const showsAll = (box: HTMLElement): boolean => box.scrollHeight <= box.clientHeight + slack;

/** Whether a box was scrolled to its end. */
export const isAtEnd = (box: HTMLElement): boolean => box.scrollTop + box.clientHeight >= box.scrollHeight - slack;

/** Whether the end of a block is in view of the box that scrolls it: one that was jumped over is not. */
export function endsInView(block: Element, box: HTMLElement): boolean {
  const fold = foldOf(box);
  const { bottom, height } = block.getBoundingClientRect();
  return height > 0 && bottom <= fold && bottom > fold - box.clientHeight;
}

/** Scrolls on by what a box shows, less some lines by which the reader finds the place again. */
export function pageOn(box: HTMLElement): void {
  box.scrollTo({ top: box.scrollTop + box.clientHeight - 40 });
}
