/**
 * Code of the AWS SDK and of the logger that our functions never run. Each entry states why it can be removed; together
 * they reduce a bundle to less than a third. Tests check that every entry still matches after an update, and that
 * errors, regions and pages behave as without the removals.
 */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { withoutMethods } from './without-methods.ts';

interface Lean extends Required<Pick<BuildOptions, 'alias' | 'external' | 'plugins'>> {}

/** The modules that are replaced, by the end of their path below `node_modules/`. */
export const replacedModules: Readonly<Record<string, string>> = {
  // A function has no ~/.aws: its configuration is its environment. This also saves two disk reads at each start.
  '@smithy/core/dist-es/submodules/config/shared-ini-file-loader/loadSharedConfigFiles.js':
    "export { CONFIG_PREFIX_SEPARATOR } from './constants';" +
    'export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });',
  // The region is in AWS_REGION, so the metadata of a virtual machine are never requested.
  '@smithy/core/dist-es/submodules/config/config-resolver/regionConfig/getInstanceMetadataRegion.js':
    'export const getInstanceMetadataRegion = async () => undefined;',
  // Only endpoints of S3 need this.
  '@smithy/core/dist-es/submodules/endpoints/middleware-endpoint/service-customizations/index.js':
    'export const resolveParamsForS3 = async (parameters) => parameters;',
  // AWS_RETRY_MODE=adaptive would add a rate limiter to retries; functions use the default mode.
  '@smithy/core/dist-es/submodules/retry/util-retry/AdaptiveRetryStrategy.js':
    "export { StandardRetryStrategy as AdaptiveRetryStrategy } from './StandardRetryStrategy';",
  // These are strict parsers of dates. No response that we read contains a date, and `Date` parses `Retry-After`.
  '@smithy/core/dist-es/submodules/serde/date-utils.js':
    'export const dateToUtcString = (date) => date.toUTCString();' +
    'const parse = (value) => (value == null ? undefined : new Date(value));' +
    'export { parse as parseRfc3339DateTime, parse as parseRfc3339DateTimeWithOffset, parse as parseRfc7231DateTime };' +
    'export const parseEpochTimestamp = (value) => (value == null ? undefined : new Date(Number(value) * 1e3));',
  // This signs the frames of event streams, which no function uses.
  '@smithy/signature-v4/dist-es/HeaderFormatter.js': 'export class HeaderFormatter {}',
  // This serves clients with a logger. The project's clients have none.
  '@aws-sdk/core/dist-es/submodules/client/middleware-logger/loggerMiddleware.js':
    'export const loggerMiddlewareOptions = {};' +
    'export const loggerMiddleware = () => (next) => next;' +
    'export const getLoggerPlugin = () => ({ applyToStack: () => {} });',
  // This reports to AWS which features of the SDK a call used.
  '@aws-sdk/core/dist-es/submodules/client/middleware-user-agent/check-features.js':
    'export const checkFeatures = async () => {};',
  // This warns of an old version of Node.
  '@aws-sdk/core/dist-es/submodules/client/emitWarningIfUnsupportedVersion.js':
    'export const state = { warningEmitted: true };' + 'export const emitWarningIfUnsupportedVersion = () => {};',
  // This serves only AWS_DEFAULTS_MODE, which no function sets.
  '@smithy/core/dist-es/submodules/config/defaults-mode/resolveDefaultsModeConfig.js':
    "export const resolveDefaultsModeConfig = () => async () => 'legacy';",
  // These are SHA-256 and MD5 in JavaScript, for a Node without native ones.
  '@smithy/core/dist-es/submodules/checksum/sha256/Sha256Js.js': 'export class Sha256Js {}',
  '@smithy/core/dist-es/submodules/checksum/md5/Md5Js.js': 'export class Md5Js {}',
  // This maps members of an operation to parts of a request. In this project, all are in the body, and no host has a
  // prefix.
  '@smithy/core/dist-es/submodules/protocols/HttpBindingNormalizedSchema.js':
    'export class HttpBindingNormalizedSchema {}' + 'export const getHttpOperationBindings = () => [];',
  // This parses numbers beyond JavaScript's precision. DynamoDB sends numbers as strings, and our others are small.
  '@smithy/core/dist-es/submodules/protocols/json/needsReviver.js': 'export const needsReviver = () => false;',
  '@smithy/core/dist-es/submodules/protocols/json/jsonReviver.js': 'export const jsonReviver = undefined;',
  // This hides fields from a client's logger.
  '@smithy/core/dist-es/submodules/client/smithy-client/schemaLogFilter.js':
    'export const schemaLogFilter = () => undefined;',
  // This discovers a service's endpoint, which only Timestream needs.
  '@aws-sdk/middleware-endpoint-discovery/dist-es/resolveEndpointDiscoveryConfig.js':
    'export const resolveEndpointDiscoveryConfig = (input) => input;',
  '@aws-sdk/middleware-endpoint-discovery/dist-es/configurations.js':
    'const nothing = () => undefined;' +
    'export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = ' +
    '{ environmentVariableSelector: nothing, configFileSelector: nothing, default: undefined };',
  // This selects endpoints with the account id, which the plain endpoints below do not use.
  '@aws-sdk/core/dist-es/submodules/account-id-endpoint/AccountIdEndpointModeConfigResolver.js':
    'export const resolveAccountIdEndpointModeConfig = (input) => input;',
  '@aws-sdk/core/dist-es/submodules/account-id-endpoint/NodeAccountIdEndpointModeConfigOptions.js':
    'const nothing = () => undefined;' +
    'export const ENV_ACCOUNT_ID_ENDPOINT_MODE = undefined, CONFIG_ACCOUNT_ID_ENDPOINT_MODE = undefined;' +
    'export const NODE_ACCOUNT_ID_ENDPOINT_MODE_CONFIG_OPTIONS = ' +
    "{ environmentVariableSelector: nothing, configFileSelector: nothing, default: 'disabled' };",
  // These are functions for endpoint rules, of which none are left.
  '@aws-sdk/core/dist-es/submodules/client/util-endpoints/aws.js': 'export const awsEndpointFunctions = {};',
  // These are timeouts of the modes of AWS_DEFAULTS_MODE.
  '@smithy/core/dist-es/submodules/client/smithy-client/defaults-mode.js':
    'export const loadConfigsForDefaultMode = () => ({});',
  // This gives byte bodies a string form for old middleware. There is none here.
  '@smithy/core/dist-es/submodules/protocols/json/codec-v2/JsonBytesStringAdapter.js':
    'export class JsonBytesStringAdapter extends Uint8Array {' +
    'static allocUnsafe(bytes) {' +
    'const buffer = Buffer.allocUnsafe(bytes);' +
    'return new JsonBytesStringAdapter(buffer.buffer, buffer.byteOffset, buffer.byteLength); } }',
  // This buffers log lines until an error occurs, which is an option of the logger that we do not set.
  '@aws-lambda-powertools/logger/lib/esm/logBuffer.js': 'export class CircularMap {}',
  // All attributes that we append to log lines are plain values by key.
  '@aws-lambda-powertools/commons/lib/esm/deepMerge.js': 'export const deepMerge = Object.assign;',
  // This creates a store of the invocation if the runtime has none. The trace id is then read from the environment.
  '@aws/lambda-invoke-store/dist-es/invoke-store.js':
    'export const InvokeStore = { getInstanceAsync: async () => globalThis.awslambda?.InvokeStore };',
};

/** Methods that are never called here, by the end of the path of their class. */
const unusedMethods: Readonly<Record<string, readonly string[]>> = {
  // Requests are signed in their headers, not in their URL. Events of streams are not signed.
  '@smithy/signature-v4/dist-es/SignatureV4.js': ['presign', 'signEvent', 'signMessage'],
  // These belong to protocols that we do not use: HTTP error bindings, event streams, REST bodies, documents.
  '@smithy/core/dist-es/submodules/protocols/HttpProtocol.js': ['resolveError', 'getEventStreamMarshaller'],
  '@smithy/core/dist-es/submodules/protocols/json/codec-v2/JsonShapeSerializer2.js': ['writeDiscriminatedDocument'],
  '@aws-sdk/core/dist-es/submodules/protocols/ProtocolLib.js': ['resolveRestContentType'],
  // A client keeps the options that it was created with.
  '@smithy/node-http-handler/dist-es/node-http-handler.js': ['updateHttpClientConfig'],
  // These are decorators, child loggers, sampling, correlation ids and the log buffer. The project's logger writes each
  // line at once.
  '@aws-lambda-powertools/logger/lib/esm/Logger.js': [
    'createChild',
    'injectLambdaContext',
    'injectLambdaContextAfterOrOnError',
    'logEventIfEnabled',
    'refreshSampleRateCalculation',
    'setPersistentLogAttributes',
    'shouldLogEvent',
    'bufferLogItem',
    'flushBuffer',
    'clearBuffer',
    'setCorrelationId',
  ],
};

function endsWith(path: string): RegExp {
  return new RegExp(`/node_modules/${path.replace(/[.]/g, '\\.')}$`);
}

const replace: Plugin = {
  name: 'replace-modules',
  setup(build) {
    for (const [end, contents] of Object.entries(replacedModules)) {
      build.onLoad({ filter: endsWith(end) }, ({ path }) => ({ contents, loader: 'js', resolveDir: dirname(path) }));
    }
  },
};

const fewerMethods: Plugin = {
  name: 'fewer-methods',
  setup(build) {
    for (const [end, methods] of Object.entries(unusedMethods)) {
      build.onLoad({ filter: endsWith(end) }, ({ path }) => ({
        contents: withoutMethods(readFileSync(path, 'utf8'), methods),
        resolveDir: dirname(path),
      }));
    }
  },
};

/** The clients import all of their package.json only for the version in the user agent. */
const versionOnly: Plugin = {
  name: 'version-only',
  setup(build) {
    build.onLoad({ filter: /@aws-sdk\/client-[a-z-]+\/package\.json$/ }, ({ path }) => {
      const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

/** A client passes its configuration to each extension in four forms. The project's clients have no extensions. */
const noExtensions: Plugin = {
  name: 'no-extensions',
  setup(build) {
    build.onLoad({ filter: /@aws-sdk\/client-[a-z-]+\/dist-es\/runtimeExtensions\.js$/ }, () => ({
      contents: 'export const resolveRuntimeExtensions = (runtimeConfig) => runtimeConfig;',
    }));
  },
};

/** The errors that `core/` distinguishes by their class. */
export const errorClasses: readonly string[] = ['ConditionalCheckFailedException', 'TransactionCanceledException'];

/**
 * A client registers a class for every error of every operation. An error without a class becomes one of the service's
 * base class, with the same name, status and fields, which is enough for all other errors.
 */
const fewerErrors: Plugin = {
  name: 'fewer-errors',
  setup(build) {
    build.onLoad({ filter: /@aws-sdk\/client-[a-z-]+\/dist-es\/schemas\/schemas_0\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/^n\d+_registry\.registerError\(\w+\$, (\w+)\);$/gm, (line, name) =>
        errorClasses.includes(name) ? line : '',
      ),
      resolveDir: dirname(path),
    }));
  },
};

/** Marks the creation of paginators as pure, so that unused ones are removed from a bundle. */
const purePaginators: Plugin = {
  name: 'pure-paginators',
  setup(build) {
    build.onLoad({ filter: /@aws-sdk\/lib-dynamodb\/dist-es\/pagination\/\w+Paginator\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace('= createPaginator(', '= /* @__PURE__ */ createPaginator('),
      resolveDir: dirname(path),
    }));
  },
};

/** The first part of each service's host name. */
const hosts: Readonly<Record<string, string>> = {
  dynamodb: 'dynamodb',
  sqs: 'sqs',
  eventbridge: 'events',
  'cognito-identity-provider': 'cognito-idp',
};

/**
 * A client resolves its endpoint with a decision diagram over account ids, FIPS and dual-stack, none of which we
 * enable. Only two cases are left: a configured endpoint, or the service's host in its region.
 */
const plainEndpoints: Plugin = {
  name: 'plain-endpoints',
  setup(build) {
    const filter = /@aws-sdk\/client-([\w-]+)\/dist-es\/endpoint\/endpointResolver\.js$/;
    build.onLoad({ filter }, ({ path }) => {
      const [, client = ''] = filter.exec(path) ?? [];
      if (!hosts[client])
        throw new Error(`${path}: add the beginning of the host of ${client} to lib/bundle/lean-sdk.ts.`);
      return {
        contents:
          'import { partition } from "@aws-sdk/core/client";' +
          'export const defaultEndpointResolver = ({ Endpoint, Region }) => ({' +
          `url: new URL(Endpoint ?? \`https://${hosts[client]}.\${Region}.\${partition(Region).dnsSuffix}\`), headers: {} });`,
        resolveDir: dirname(path),
      };
    });
  },
};

interface Partition {
  readonly regionRegex: string;
  readonly regions: Readonly<Record<string, object>>;
  readonly outputs: { readonly dnsSuffix: string };
}

/**
 * Every region has an unused description, and most regions match their partition's expression anyway. Of a partition
 * itself only the DNS suffix is read.
 */
const fewerRegions: Plugin = {
  name: 'fewer-regions',
  setup(build) {
    build.onLoad({ filter: /@aws-sdk\/core\/dist-es\/.*\/util-endpoints\/lib\/aws\/partitions\.js$/ }, ({ path }) => {
      const [, json = ''] = /^export const partitionsInfo = (\{.*\});?\s*$/s.exec(readFileSync(path, 'utf8')) ?? [];
      const { partitions, ...rest } = JSON.parse(json) as { partitions: readonly Partition[] };
      const lean = partitions.map((partition) => ({
        ...partition,
        outputs: { dnsSuffix: partition.outputs.dnsSuffix },
        regions: Object.fromEntries(
          Object.keys(partition.regions)
            .filter((region) => !new RegExp(partition.regionRegex).test(region))
            .map((region) => [region, {}]),
        ),
      }));
      return { contents: `export const partitionsInfo = ${JSON.stringify({ partitions: lean, ...rest })};` };
    });
  },
};

export function leanSdk(projectFolder: string): Lean {
  return {
    alias: {
      // Lambda provides a function's credentials in the environment. The chain of all other sources would be half of
      // each bundle, and it loads node:http, which in Node 24 loads undici.
      '@aws-sdk/credential-provider-node': `${projectFolder}/core/environment-credentials.ts`,
    },
    // This is imported on the first call of an operation that streams events; DynamoDB, SQS and EventBridge have none.
    external: ['@smithy/core/event-streams'],
    plugins: [
      versionOnly,
      noExtensions,
      fewerErrors,
      fewerRegions,
      plainEndpoints,
      purePaginators,
      fewerMethods,
      replace,
    ],
  };
}
