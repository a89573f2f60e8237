import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { watchNear } from './near';

type Box = { top: number; height: number };

let seen: (entries: object[]) => void;
let frames: (() => void)[];
let observed: Element[];

beforeEach(() => {
  frames = [];
  observed = [];
  vi.stubGlobal('requestAnimationFrame', (act: () => void) => frames.push(act));
  vi.stubGlobal('cancelAnimationFrame', (id: number) => (frames[id - 1] = () => {}));
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(take: typeof seen) {
        seen = take;
      }
      observe(element: Element) {
        observed.push(element);
      }
      unobserve() {}
      disconnect() {}
    },
  );
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Watches boxes in a window of 800 pixels from the next frame on; returns what was told of each. */
function watched(boxes: Box[]) {
  const told = boxes.map((): boolean[] => []);
  const elements = boxes.map(() => document.createElement('div'));
  const ends = elements.map((element, i) => watchNear(element, (near) => told[i]?.push(near)));
  const entry = (i: number, near: boolean) => {
    const { top, height } = boxes[i] ?? { top: 0, height: 0 };
    return {
      target: elements[i],
      isIntersecting: near,
      boundingClientRect: { top, bottom: top + height, height },
      rootBounds: { top: -1_200, bottom: 2_000 },
    };
  };
  for (const begin of frames.splice(0)) begin();
  return { told, ends, entry };
}

const frame = () => frames.shift()?.();

it('tells at once of what is in view, and of the rest frame by frame', () => {
  const boxes = [-2_000, 0, 700, 800, 1_400, 1_600, 1_800].map((top) => ({ top, height: 700 }));
  const { told, ends, entry } = watched(boxes);
  seen(boxes.map((_, i) => entry(i, i > 0)));
  expect(told).toEqual([[false], [true], [true], [], [], [], []]);
  frame();
  expect(told.slice(3)).toEqual([[true], [true], [], []]);
  // One goes away before its turn, and nobody asks for another any more.
  seen([entry(5, false)]);
  ends[6]?.();
  frame();
  expect(told.slice(3)).toEqual([[true], [true], [false], []]);
  expect(frames).toHaveLength(0);
  for (const end of ends) end();
});

it('tells at once of what comes into view before its turn', () => {
  const box = { top: 1_000, height: 5_000 };
  const { told, ends, entry } = watched([box]);
  seen([entry(0, true)]);
  expect(told).toEqual([[]]);
  box.top = 100;
  seen([entry(0, true)]);
  expect(told).toEqual([[true]]);
  frame();
  expect(told).toEqual([[true]]);
  for (const end of ends) end();
});

it('begins to watch in the next frame, and never what is gone by then', () => {
  const [stays, goes] = [document.createElement('div'), document.createElement('div')];
  const ends = [watchNear(stays, () => {}), watchNear(goes, () => {})];
  expect(observed).toEqual([]);
  ends[1]?.();
  for (const begin of frames) begin();
  expect(observed).toEqual([stays]);
  ends[0]?.();
});
