/** `vite console` serves the sources and proxies the rest to a local run; see build.ts for the deployed build. */
import { basename } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The address of `npm start`. */
const local = process.env.API ?? 'http://127.0.0.1:8787';

const anyOf = (...paths: readonly string[]) => new RegExp(paths.join('|').replaceAll('/', '[\\\\/]'));

/** The modules of the frame and the first screen, without those that load later. */
const frame = anyOf(
  '@tanstack/',
  'console/src/(api|format)/',
  'console/src/app/(?!menus|account-menu|color-scheme|mode-switch)',
  'console/src/screens/overview/(?!today)',
  'components/(AppShell|Badge|Burger|Container|EmptyState|Group|NavLink|Progress|SimpleGrid|Skeleton|ThemeIcon)/',
);
const menus = anyOf('@floating-ui/', 'console/src/app/', 'components/(ActionIcon|Menu|Popover|Switch)/');

/** The base styles of Mantine. */
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
    // The assets are beside those of the site. All names contain a content hash, so they are cached forever.
    assetsDir: 'assets/console',
    // The content security policy allows `data:` for images only. The logo is inlined, so that it appears first.
    assetsInlineLimit: (file) => file.endsWith('icon.svg'),
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Without groups, each shared module is its own chunk, which causes a hundred requests.
          groups: [
            // Libraries of the sign-in page, which stay cached when the console changes.
            {
              name: 'base',
              priority: 4,
              test: /node_modules[\\/](react|react-dom|scheduler|oidc-client-ts|jwt-decode)[\\/]/,
            },
            { name: 'begin', priority: 3, tags: ['$initial'] },
            // Latvian needs dayjs, and shared screens must load after the texts, which they keep.
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
    // The first versions with `URL.canParse`, `AbortSignal.any` and `Map.groupBy`. The README names them, too.
    target: ['es2022', 'chrome120', 'firefox124', 'safari17.4'],
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
  },
});
