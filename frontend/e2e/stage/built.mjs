// The staged page, built as the product is, so that what is measured is what people get.
import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';

import { pictures } from './pictures.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const kept = join(root, 'node_modules', '.stage');
const keptMs = 3_600_000;

/** What the staged page is made from, as one name: it changes with each byte of it. */
async function contentKey() {
  const files = ['package-lock.json', 'svelte.config.js', 'vite.config.ts', 'chunks.ts'].map((name) =>
    join(root, name),
  );
  for (const folder of ['e2e/stage', 'public', 'src']) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
    files.push(...entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name)));
  }
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    const content = await readFile(file);
    hash.update(`${relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 32);
}

const present = (path) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Takes away what was kept of older sources, and what a build that was ended left behind. */
async function clearOld() {
  for (const name of await readdir(kept)) {
    const folder = join(kept, name);
    const made = await stat(folder).catch(() => undefined);
    if (made && Date.now() - made.mtimeMs > keptMs) await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Builds the staged page and gives the folder it is in. It is built once for the same sources,
 * and kept for whoever asks next: a folder is there whole or not at all.
 */
export async function buildStage() {
  const folder = join(kept, await contentKey());
  if (await present(folder)) return folder;
  await mkdir(kept, { recursive: true });
  await clearOld();
  const outDir = await mkdtemp(join(kept, 'building-'));
  const input = `${root}/e2e/stage/index.html`;
  await build({ root, logLevel: 'error', build: { outDir, emptyOutDir: true, rollupOptions: { input } } });
  try {
    await rename(outDir, folder);
  } catch (error) {
    // Somebody else was faster, with the same.
    if (!(await present(folder))) throw error;
    await rm(outDir, { recursive: true, force: true });
  }
  return folder;
}

/** Serves the staged page; returns the address of a scene. */
export async function serveStage(t) {
  const outDir = await buildStage();
  const server = await preview({
    root,
    logLevel: 'error',
    plugins: [pictures],
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0 },
  });
  t.after(() => server.close());
  const { port } = server.httpServer.address();
  return (scene, hash = '#/desk') => `http://127.0.0.1:${port}/e2e/stage/index.html?scene=${scene}${hash}`;
}
