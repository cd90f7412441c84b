/** `vite console` serves the sources, with everything else from a local run; see build.ts for what is deployed. */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `npm start` answers. */
const local = process.env.API ?? 'http://127.0.0.1:8787';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  server: { proxy: Object.fromEntries(['/v1', '/config.json', '/docs', '/assets'].map((path) => [path, local])) },
  build: {
    outDir: '../.build/console',
    emptyOutDir: true,
    // The site's own are in /assets/, too: all of them are named after their content and kept for good.
    assetsDir: 'assets/console',
    // The policy lets no `data:` in but pictures, and a small file is not worth an exception.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Menus and lists that open over the page: no screen waits for them.
            { name: 'floating', priority: 1, test: /node_modules[\\/]@floating-ui/ },
            // What every screen stands on, in one piece that stays the same when a screen changes.
            {
              name: 'base',
              priority: 2,
              test: /node_modules[\\/](react|react-dom|scheduler|@tanstack|oidc-client-ts)[\\/]/,
            },
          ],
        },
      },
    },
    target: ['es2022', 'chrome111', 'firefox114', 'safari16.4'],
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
  },
});
