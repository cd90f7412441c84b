/** `vite console` serves the sources, with everything else from a local run; see build.ts for what is deployed. */
import { basename } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where `npm start` answers. */
const local = process.env.API ?? 'http://127.0.0.1:8787';

const anyOf = (...paths: readonly string[]) => new RegExp(paths.join('|').replaceAll('/', '[\\\\/]'));

/** The frame and the first screen, without what loads after them. */
const frame = anyOf(
  '@tanstack/',
  'console/src/(api|format)/',
  'console/src/app/(?!menus|account-menu|color-scheme|mode-switch)',
  'console/src/screens/overview/(?!today)',
  'components/(AppShell|Badge|Burger|Container|EmptyState|Group|NavLink|Progress|SimpleGrid|Skeleton|ThemeIcon)/',
);
const menus = anyOf('@floating-ui/', 'console/src/app/', 'components/(ActionIcon|Menu|Popover|Switch)/');

/** Mantine's base styles. */
const ground = ['baseline', 'default-css-variables', 'global'];
const styles = (name: string) => `@mantine/core/styles/${name}.layer.css`;

/** Each Mantine component imports its own styles, so that a page loads no others. `vite console` loads all styles. */
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
    // Beside the site's assets. All names contain a content hash, so they are cached forever.
    assetsDir: 'assets/console',
    // The content security policy allows `data:` for images only. The logo is inlined, so it appears first.
    assetsInlineLimit: (file) => file.endsWith('icon.svg'),
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Without groups, each shared module is a chunk of its own: a hundred requests.
          groups: [
            // Libraries of the sign-in page. They stay cached when the console changes.
            {
              name: 'base',
              priority: 4,
              test: /node_modules[\\/](react|react-dom|scheduler|oidc-client-ts|jwt-decode)[\\/]/,
            },
            { name: 'begin', priority: 3, tags: ['$initial'] },
            // Latvian needs it, and shared screens must load after the texts: they keep them.
            { name: 'dayjs', priority: 3, test: /node_modules[\\/]dayjs[\\/]dayjs/ },
            { name: 'frame', priority: 2, test: frame },
            // The menus of the header.
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
