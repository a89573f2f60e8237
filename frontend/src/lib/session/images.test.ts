import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { bridgeAlone } from '../bridge/context';
import type { Part } from '../bridge/dto';
import { FakeBridge } from '../bridge/fake';
import { Live } from '../bridge/live.svelte';
import { callRow, desk, detail, imagePart, textPart } from '../../test/make';
import { Story } from '../history/story.svelte';
import CallOpen from './CallOpen.svelte';
import { alternative, caption, fitted, showImage, sourceOf } from './images';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const sized = (width: number, height: number) => fitted(imagePart('1', { width, height }));

test('an image is scaled into its box, and neither a dot nor a thread is lost in it', () => {
  const whole = { times: 1, part: false };
  expect(sized(1280, 720)).toEqual({ width: 427, height: 240, ...whole });
  expect(sized(100, 3000)).toEqual({ width: 8, height: 240, ...whole });
  expect(sized(40, 30)).toEqual({ width: 40, height: 30, ...whole });
  expect(sized(3, 2)).toEqual({ width: 63, height: 42, times: 21, part: false });
  expect(sized(1, 1)).toEqual({ width: 32, height: 32, times: 32, part: false });
  expect(sized(31, 31)).toEqual({ width: 62, height: 62, times: 2, part: false });
  expect(sized(20_000, 10)).toEqual({ width: 480, height: 10, times: 1, part: true });
  expect(sized(10, 12_000)).toEqual({ width: 10, height: 240, times: 1, part: true });
  expect(sized(480, 1)).toEqual({ width: 480, height: 1, ...whole });
  for (const width of [1, 7, 31, 32, 33, 479, 481, 20_000, 65_535])
    for (const height of [1, 7, 31, 32, 239, 241, 40_000]) {
      const fit = sized(width, height);
      expect(fit.width).toBeLessThanOrEqual(480);
      expect(fit.height).toBeLessThanOrEqual(240);
      expect(Math.min(fit.width, fit.height)).toBeGreaterThanOrEqual(Math.min(8, width, height));
    }
});

test('an image is drawn from our own store and from nowhere else', () => {
  const good = imagePart('1').source;
  expect(sourceOf(imagePart('1'))).toBe(good);
  for (const source of [
    ...['', 'http://elsewhere/x.png', '//elsewhere/x.png', 'data:image/svg+xml,<svg/>', 'blob:x', '/output?session=s1'],
    ...[
      `http://elsewhere${good}`,
      `${good}.svg`,
      `${good}?x`,
      `/x${good}`,
      good.slice(0, -1),
      `${good}\n`,
      good.toUpperCase(),
    ],
  ])
    expect(sourceOf(imagePart('1', { source }))).toBe('');
});

test('what an image is stands in words', () => {
  const part = imagePart('1', { width: 20_000, height: 10, bytes: 1_204 });
  expect(caption(part)).toBe('PNG, 20,000 × 10 pixels, 1.2 KB');
  expect(caption(imagePart('1', { mime: 'image/webp', width: 0, height: 0, bytes: 0 }))).toBe('WebP');
  expect(caption(imagePart('1', { mime: 'image/svg+xml', width: 0, bytes: 3 }))).toBe('Image, 3 bytes');
  expect(alternative(part, 1, 3)).toBe('Image 2 of 3 that the tool answered with: PNG, 20,000 × 10 pixels, 1.2 KB');
  expect(alternative(part, 0, 1)).toBe('Image that the tool answered with: PNG, 20,000 × 10 pixels, 1.2 KB');
});

const gone = imagePart('3', { source: '', trouble: 'This image is no longer kept.' });

/** Shows an opened call that answered with images. */
async function show(...parts: Part[]) {
  const one = detail(callRow({ id: 'c1' }), { read: [textPart('Drawn.'), ...parts] });
  const bridge = new FakeBridge({
    snapshot: { desk: desk(), sessions: [], approvals: [], trust: [] },
    ...{ cards: [], views: [], details: [one], trusts: [], tools: [] },
  });
  const opened = new Story(new Live(bridge));
  opened.detail = one;
  render(CallOpen, { props: { opened }, context: bridgeAlone(bridge) });
  await vi.advanceTimersByTimeAsync(50);
  return opened;
}

test('images of a result are shown with what they are, and one that cannot be says why', async () => {
  await show(imagePart('1'), imagePart('2', { width: 3, height: 2 }), gone);
  const images = within(screen.getByRole('region', { name: 'Images' }));
  const drawn = images.getAllByRole('img');
  expect(drawn.map((one) => one.getAttribute('src'))).toEqual([imagePart('1').source, imagePart('2').source]);
  expect(drawn[0]!.getAttribute('alt')).toBe('Image 1 of 3 that the tool answered with: PNG, 640 × 400 pixels, 4.2 KB');
  expect(images.getByText('This image is no longer kept.')).toBeTruthy();
  expect(images.getByText(gone.handle)).toBeTruthy();
  expect(images.getByText('drawn 21 times larger')).toBeTruthy();
  // The model read a text, and images have no lines.
  expect(screen.getByText('1 line, 6 bytes')).toBeTruthy();
});

test('an image that does not come says so in its place', async () => {
  await show(imagePart('1'));
  await fireEvent.error(screen.getByRole('img'));
  expect(screen.queryByRole('img')).toBeNull();
  expect(screen.getByText(/cannot be shown: it is not in the store any more/)).toBeTruthy();
});

test('an image opens in full by a click, and keys go through them and close it', async () => {
  const opened = await show(imagePart('1'), gone, imagePart('2', { width: 20_000, height: 10 }));
  await fireEvent.click(screen.getByRole('button', { name: /^Show in full: Image 1 of 3/ }));
  const dialog = () => screen.queryByRole('dialog');
  expect(dialog()?.getAttribute('aria-label')).toMatch(/^Image 1 of 3 .* 640 × 400 pixels/);
  const full = () => within(dialog()!).getByRole('img');
  await fireEvent.keyDown(window, { key: 'n' });
  expect(full().getAttribute('src')).toBe(imagePart('2').source);
  expect(full().getAttribute('width')).toBe('20000');
  await fireEvent.keyDown(window, { key: 'p' });
  expect(full().getAttribute('width')).toBe('640');
  await fireEvent.keyDown(window, { key: 'p' });
  expect(opened.image).toBe(2);
  await fireEvent.keyDown(window, { key: 'Escape' });
  expect(dialog()).toBeNull();
  expect(opened.image).toBeNull();
});

test('a large image is fitted into the panel, or shown pixel by pixel', async () => {
  await show(imagePart('1', { width: 8_000, height: 4_000 }));
  await fireEvent.click(screen.getByRole('button', { name: /^Show in full/ }));
  const full = () => within(screen.getByRole('dialog')).getByRole('img');
  expect([full().getAttribute('width'), full().getAttribute('height')]).toEqual(['880', '440']);
  await fireEvent.keyDown(window, { key: 'z' });
  expect([full().getAttribute('width'), full().getAttribute('height')]).toEqual(['8000', '4000']);
  expect(screen.getByRole('button', { name: /Actual pixels/ }).getAttribute('aria-pressed')).toBe('true');
});

test('the key shows the first image that there is to see', async () => {
  const opened = await show(gone, imagePart('1'));
  opened.tab = 'decision';
  expect(showImage(opened)).toBeUndefined();
  expect([opened.tab, opened.image]).toEqual(['output', 1]);
  for (const none of [await show(gone), await show()]) {
    expect(showImage(none)).toBe(false);
    expect(none.image).toBeNull();
  }
});
