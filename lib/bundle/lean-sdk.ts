/**
 * What the AWS SDK brings along and a function of ours never runs. Each entry names why; together they take about
 * four fifths of what `@aws-sdk/client-dynamodb` weighs by default off a bundle.
 */
import { readFileSync } from 'node:fs';
import type { BuildOptions, Plugin } from 'esbuild';

interface Lean extends Required<Pick<BuildOptions, 'alias' | 'external' | 'plugins'>> {}

/** The clients import their whole package.json for the version in the user agent. */
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
    plugins: [versionOnly],
  };
}
