/**
 * What the AWS SDK brings along and a function of ours never runs. Each entry says why it can go; together they halve
 * a bundle. A test asks of every entry that the SDK still has it, so that an update cannot make one idle unseen.
 */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';

interface Lean extends Required<Pick<BuildOptions, 'alias' | 'external' | 'plugins'>> {}

/** Modules that are replaced, by the end of their path below `node_modules/`. */
export const replacedModules: Readonly<Record<string, string>> = {
  // A function has no ~/.aws: its configuration is its environment. Saves two looks at the disk at each start as well.
  '@smithy/core/dist-es/submodules/config/shared-ini-file-loader/loadSharedConfigFiles.js':
    "export { CONFIG_PREFIX_SEPARATOR } from './constants';" +
    'export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });',
  // SHA-256 in JavaScript, for a Node without the real one.
  '@smithy/core/dist-es/submodules/checksum/sha256/Sha256Js.js': 'export class Sha256Js {}',
};

const replace: Plugin = {
  name: 'replace-modules',
  setup(build) {
    for (const [end, contents] of Object.entries(replacedModules)) {
      const filter = new RegExp(`/node_modules/${end.replace(/[.]/g, '\\.')}$`);
      build.onLoad({ filter }, ({ path }) => ({ contents, loader: 'js', resolveDir: dirname(path) }));
    }
  },
};

/** The clients import the whole of their package.json for the version in the user agent. */
const versionOnly: Plugin = {
  name: 'version-only',
  setup(build) {
    build.onLoad({ filter: /@aws-sdk\/client-[a-z-]+\/package\.json$/ }, ({ path }) => {
      const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

export function leanSdk(projectFolder: string): Lean {
  return {
    alias: {
      // Lambda hands a function its credentials in the environment. The chain of every other source would be half of
      // each bundle, and it loads node:http, which in Node 24 loads undici.
      '@aws-sdk/credential-provider-node': `${projectFolder}/core/environment-credentials.ts`,
      '@aws-sdk/endpoint-cache': `${projectFolder}/lib/bundle/no-endpoint-cache.ts`,
    },
    // Imported on the first call of an operation that streams events; DynamoDB, SQS and EventBridge have none.
    external: ['@smithy/core/event-streams'],
    plugins: [versionOnly, replace],
  };
}
