// A tool set whose one tool answers with images.
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { png } from './stage/pictures.mjs';

export const chart = png(320, 200, (x, y) => (y > 180 - (x % 150) ? [60, 120, 200] : [250, 250, 252]));
const thread = png(20_000, 10, (x) => (Math.floor(x / 40) % 2 ? [200, 60, 60] : [250, 220, 120]));

/** Puts a set into a home whose one tool draws two images, and settings under which its calls run. */
export async function putCharts({ home, workspace }) {
  const set = join(home, 'tools', 'charts');
  await mkdir(set, { recursive: true, mode: 0o700 });
  await writeFile(join(home, 'config.json'), JSON.stringify({ preset: 'full' }), { mode: 0o600 });
  await writeFile(join(workspace, 'chart.png'), chart);
  const answer = {
    text: 'Two charts.',
    images: [
      { mimeType: 'image/png', path: 'chart.png' },
      { mimeType: 'image/png', base64: thread.toString('base64') },
    ],
  };
  await writeFile(join(set, 'answer.json'), JSON.stringify(answer));
  await writeFile(join(set, 'draw'), '#!/bin/sh\nexec cat "$(dirname "$0")/answer.json"\n');
  await chmod(join(set, 'draw'), 0o755);
  const manifest = {
    ...{ runner: 'exec', command: ['./draw'], approval: 'always' },
    tools: [
      {
        name: 'acme_charts',
        description: 'Draws charts.',
        schema: { type: 'object', properties: {} },
        output: 'content',
      },
    ],
  };
  await writeFile(join(set, 'tools.json'), JSON.stringify(manifest));
}
