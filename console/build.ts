/** Builds the console: static files that any server can serve. A path that is none of them is answered with index.html. */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** Writes every file of the console into the folder, which it makes. Throws when something cannot be built. */
export async function buildConsole(folder: string): Promise<void> {
  const configFile = fileURLToPath(new URL('vite.config.ts', import.meta.url));
  // Whoever tests it gets what is served, and not React's build for development.
  process.env.NODE_ENV = 'production';
  await build({ configFile, logLevel: 'error', build: { outDir: folder } });
}
