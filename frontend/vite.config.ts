import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

import { chunks } from './chunks.ts';

export default defineConfig({
  plugins: [svelte()],
  // In tests Svelte is to mount, not to render on a server.
  resolve: process.env.VITEST ? { conditions: ['browser'] } : undefined,
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/test/setup.ts'],
    // The files of a worker share the page's modules and one document, which setup.ts leaves as it
    // was after each test: to load both anew for each file takes longer than the tests.
    pool: 'threads',
    isolate: false,
    // Mounting the whole page is slow on a machine that is busy with builds.
    testTimeout: 20_000,
  },
  // Grammars stay chunks of their own, read by the worker that colours text.
  worker: { format: 'es' },
  build: {
    target: 'safari17',
    emptyOutDir: true,
    sourcemap: false,
    // A strict content security policy has no room for data: addresses.
    assetsInlineLimit: 0,
    // Grammars are large and are read only when a file of their kind is shown.
    chunkSizeWarningLimit: 900,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: chunks(import.meta.dirname) } },
  },
});
