// The images that made-up results name, as the store of a desk would give them.
import { crc32, deflateSync } from 'node:zlib';

/** A PNG of a size, by a colour for each of its pixels. */
export function png(width, height, colourAt) {
  const rows = Buffer.alloc(height * (1 + 3 * width));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows.set(colourAt(x, y), y * (1 + 3 * width) + 1 + 3 * x);
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const bar = (x, y) => y > 620 - ((Math.floor(x / 80) * 137) % 520) && x % 80 > 14;

/** The images by the digit that their sums are made of. */
const made = {
  1: () =>
    png(1280, 720, (x, y) => (y > 620 || y < 60 ? [238, 240, 243] : bar(x, y) ? [64, 120, 200] : [250, 250, 252])),
  2: () => png(20_000, 10, (x) => (Math.floor(x / 40) % 2 ? [200, 60, 60] : [250, 220, 120])),
  3: () =>
    png(
      3,
      2,
      (x, y) =>
        [
          [220, 40, 40],
          [40, 160, 60],
          [40, 80, 220],
          [250, 220, 60],
          [0, 0, 0],
          [255, 255, 255],
        ][3 * y + x],
    ),
  4: () => png(10, 12_000, (x, y) => (Math.floor(y / 40) % 2 ? [60, 60, 200] : [220, 250, 120])),
};

/** Answers for the images of a staged page. */
export const pictures = {
  name: 'pictures',
  configurePreviewServer(server) {
    server.middlewares.use((request, response, next) => {
      const digit = /^\/media\/sha256-(\d)\1{63}$/.exec(request.url)?.[1];
      if (!request.url.startsWith('/media/')) return next();
      response.statusCode = made[digit] ? 200 : 404;
      response.setHeader('Content-Type', made[digit] ? 'image/png' : 'text/plain');
      response.end(made[digit]?.());
    });
  },
};
