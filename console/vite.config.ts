/** `vite console` serves the sources, with everything else from a local run; see build.ts for what is deployed. */
import { basename } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where `npm start` answers. */
const local = process.env.API ?? 'http://127.0.0.1:8787';

const anyOf = (...paths: readonly string[]) => new RegExp(paths.join('|').replaceAll('/', '[\\\\/]'));

/** What is around every screen, and the first one, without what they load when it stands. */
const frame = anyOf(
  '@tanstack/',
  'console/src/(api|format)/',
  'console/src/app/(?!menus|account-menu|color-scheme|mode-switch)',
  'console/src/screens/overview/(?!today)',
  'components/(AppShell|Badge|Burger|Container|EmptyState|Group|NavLink|Progress|SimpleGrid|Skeleton|ThemeIcon)/',
);
const menus = anyOf('@floating-ui/', 'console/src/app/', 'components/(ActionIcon|Menu|Popover|Switch)/');

/** What every component of Mantine stands on. */
const ground = ['baseline', 'default-css-variables', 'global'];
const styles = (name: string) => `@mantine/core/styles/${name}.layer.css`;

/** Each component brings its styles along, so that a page waits for those of what it draws. In `vite console` all are there. */
const ownStyles: Plugin = {
  name: 'own-styles',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: [/@mantine[\\/]core[\\/].*\.module\.mjs$/, /[\\/]app[\\/]mantine\.css$/] },
    handler: (code, id) =>
      id.endsWith('.css')
        ? ground.map((name) => `@import "${styles(name)}";`).join('\n')
        : `import '${styles(basename(id, '.module.mjs'))}';\n${code}`,
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), ownStyles],
  server: { proxy: Object.fromEntries(['/v1', '/config.json', '/docs', '/assets'].map((path) => [path, local])) },
  build: {
    outDir: '../.build/console',
    emptyOutDir: true,
    // The site's own are in /assets/, too: all of them are named after their content and kept for good.
    assetsDir: 'assets/console',
    // The policy lets no `data:` in but pictures. The mark is in the page: it is seen before anything else has come.
    assetsInlineLimit: (file) => file.endsWith('icon.svg'),
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Left alone, each module that several pieces need is a piece of its own: a hundred of them, which wait in line.
          groups: [
            // What even the way in stands on: it stays the same when the console changes.
            {
              name: 'base',
              priority: 4,
              test: /node_modules[\\/](react|react-dom|scheduler|oidc-client-ts|jwt-decode)[\\/]/,
            },
            { name: 'begin', priority: 3, tags: ['$initial'] },
            { name: 'frame', priority: 2, test: frame },
            // The header's menus.
            { name: 'menus', priority: 1, test: menus },
            // Lists, fields and dialogs.
            { name: 'common', minShareCount: 2 },
          ],
        },
      },
    },
    // The first that have AbortSignal.any, which each call stands on.
    target: ['es2022', 'chrome116', 'firefox124', 'safari17.4'],
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
  },
});
