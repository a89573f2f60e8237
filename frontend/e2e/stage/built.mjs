// The staged page, built as the product is, so that what is measured is what people get.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';

import { scratch } from '../harness.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Builds and serves the staged page; returns the address of a scene. */
export async function serveStage(t) {
  const outDir = await scratch(t, 'countersign-stage');
  const input = `${root}/e2e/stage/index.html`;
  await build({ root, logLevel: 'error', build: { outDir, emptyOutDir: true, rollupOptions: { input } } });
  const server = await preview({ root, logLevel: 'error', build: { outDir }, preview: { host: '127.0.0.1', port: 0 } });
  t.after(() => server.close());
  const { port } = server.httpServer.address();
  return (scene, hash = '#/desk') => `http://127.0.0.1:${port}/e2e/stage/index.html?scene=${scene}${hash}`;
}
