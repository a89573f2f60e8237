import type { CallDetail, Part } from '../bridge/dto';
import type { Opened } from './opened';
import { bytes, counted } from '../ui/time';

/** The box that an image in a list of lines is scaled into, in pixels. */
const box = { width: 480, height: 240 };
/** A side that would be drawn lower than this shows nothing. */
const least = 8;
/** An image whose sides are both smaller than this is drawn larger. */
const small = 32;

/** How an image is drawn in its box. */
export interface Fit {
  width: number;
  height: number;
  /** How many times larger it is drawn than it is; 1 for one that is not. */
  times: number;
  /** Only a part of it is drawn, from its upper left corner on: all of it would be a line too thin to see. */
  part: boolean;
}

/** The images among what a model read. */
export function imagesOf(detail: CallDetail | null): Part[] {
  return detail?.read.filter((part) => part.type === 'image') ?? [];
}

/** Shows the first image of the opened call that there is to see; false where there is none. */
export function showImage(opened: Opened): void | false {
  const first = imagesOf(opened.detail).findIndex((part) => !part.trouble);
  if (first < 0) return false;
  opened.tab = 'output';
  opened.image = first;
}

/** The address that an image is drawn from: one of our own store, "" for any other. */
export function sourceOf(part: Part): string {
  return /^\/media\/sha256-[0-9a-f]{64}$/.test(part.source) ? part.source : '';
}

/** How an image is drawn in a box. */
export function fitted({ width, height }: Part, room = box): Fit {
  const times = Math.max(1, Math.min(Math.floor((2 * small) / Math.max(width, height)), small));
  if (times > 1 && Math.max(width, height) < small)
    return { width: width * times, height: height * times, times, part: false };
  const scale = Math.min(1, room.width / width, room.height / height);
  const drawn = { width: Math.round(width * scale), height: Math.round(height * scale) };
  if (Math.min(drawn.width, drawn.height) >= Math.min(least, width, height)) return { ...drawn, times: 1, part: false };
  return { width: Math.min(width, room.width), height: Math.min(height, room.height), times: 1, part: true };
}

/** What an image is, in words: its type, its pixels, its bytes. */
export function caption(part: Part): string {
  const type = { 'image/png': 'PNG', 'image/jpeg': 'JPEG', 'image/gif': 'GIF', 'image/webp': 'WebP' }[part.mime];
  const pixels = part.width ? `${counted(part.width)} × ${counted(part.height)} pixels` : '';
  return [type ?? 'Image', pixels, part.bytes ? bytes(part.bytes) : ''].filter(Boolean).join(', ');
}

/** What stands for an image where it cannot be seen. What it shows is not known. */
export function alternative(part: Part, at: number, count: number): string {
  return `${count > 1 ? `Image ${at + 1} of ${count}` : 'Image'} that the tool answered with: ${caption(part)}`;
}

/** What is said of an image that did not come. */
export const notLoaded =
  'This image cannot be shown: it is not in the store any more, is not what was kept, or is broken.';
