import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [svelte()],
  build: {
    target: 'safari17',
    emptyOutDir: true,
    sourcemap: false,
    // A strict content security policy has no room for data: addresses.
    assetsInlineLimit: 0,
    // Grammars are large and are read only when a file of their kind is shown.
    chunkSizeWarningLimit: 900,
    modulePreload: { polyfill: false },
  },
});
