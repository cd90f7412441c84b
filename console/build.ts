/** Builds the console as static files for any server, which must answer all other paths with index.html. */
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';

type ConsoleFile = Rolldown.OutputChunk | Rolldown.OutputAsset;

/** Writes every file of the console into the folder, which it creates. Throws if the build fails. */
export async function buildConsole(folder: string): Promise<readonly ConsoleFile[]> {
  const configFile = fileURLToPath(new URL('vite.config.ts', import.meta.url));
  const { env } = process;
  // Tests must get the build that is deployed, not React's development build.
  process.env = { ...env, NODE_ENV: 'production' };
  try {
    const built = await build({ configFile, logLevel: 'error', build: { outDir: folder } });
    return [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  } finally {
    process.env = env;
  }
}
