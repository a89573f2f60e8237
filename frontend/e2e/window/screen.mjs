// What stands on the screen and what a hand does there, without the page's knowledge:
// xdotool moves the pointer and the keys, and the pixels are read from the screen's file.
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { crc32, deflateSync } from 'node:zlib';

const execute = promisify(execFile);
const commandMs = 10_000;

/** Runs xdotool and gives what it printed. */
export async function xdotool(...args) {
  const { stdout } = await execute('xdotool', args.map(String), { timeout: commandMs });
  return stdout.trim();
}

/** The ids of the visible windows of a process; none while it has none. */
export async function windowsOf(pid) {
  try {
    return (await xdotool('search', '--all', '--onlyvisible', '--pid', pid, '--name', '')).split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

/** Place and size of a window. */
export async function geometry(id) {
  const said = await xdotool('getwindowgeometry', '--shell', id);
  const value = (name) => Number(new RegExp(`^${name}=(-?\\d+)$`, 'm').exec(said)[1]);
  return { x: value('X'), y: value('Y'), width: value('WIDTH'), height: value('HEIGHT') };
}

/** Reads the screen, or a part of it, as rows of red, green and blue. */
export async function pixels(part) {
  // The file is an X window dump: a header of big-endian numbers, colours, then the rows.
  const dump = await readFile(process.env.WINDOW_SCREEN);
  const field = (index) => dump.readUInt32BE(index * 4);
  const [headerBytes, width, height, order, bits, lineBytes, colours] = [0, 4, 5, 7, 11, 12, 19].map(field);
  if (bits !== 32 || order !== 0) throw new Error(`a screen of ${bits} bits in byte order ${order} cannot be read`);
  const start = headerBytes + colours * 12;
  const at = part ?? { x: 0, y: 0, width, height };
  const rgb = Buffer.alloc(at.width * at.height * 3);
  for (let y = 0, to = 0; y < at.height; y++) {
    let from = start + (at.y + y) * lineBytes + at.x * 4;
    for (let x = 0; x < at.width; x++, from += 4) {
      rgb[to++] = dump[from + 2];
      rgb[to++] = dump[from + 1];
      rgb[to++] = dump[from];
    }
  }
  return { width: at.width, height: at.height, rgb };
}

/** Writes a picture as PNG, in haste unless it is to be small. */
export async function writePicture(path, { width, height, rgb }, { small = false } = {}) {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y++) rgb.copy(rows, y * (width * 3 + 1) + 1, y * width * 3, (y + 1) * width * 3);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc32(body), body.length + 4);
    return out;
  };
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const packed = chunk('IDAT', deflateSync(rows, { level: small ? 9 : 1 }));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, Buffer.concat([signature, chunk('IHDR', header), packed, chunk('IEND', Buffer.alloc(0))]));
}
