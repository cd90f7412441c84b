/**
 * What the AWS SDK and the logger bring along and a function of ours never runs. Each entry says why it can go; together
 * they take a bundle to less than a third. Tests ask of every entry that it is still there, so that an update cannot make one
 * idle unseen, and that errors, regions and pages are as without.
 */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { withoutMethods } from './without-methods.ts';

interface Lean extends Required<Pick<BuildOptions, 'alias' | 'external' | 'plugins'>> {}

/** Modules that are replaced, by the end of their path below `node_modules/`. */
export const replacedModules: Readonly<Record<string, string>> = {
  // A function has no ~/.aws: its configuration is its environment. Saves two looks at the disk at each start as well.
  '@smithy/core/dist-es/submodules/config/shared-ini-file-loader/loadSharedConfigFiles.js':
    "export { CONFIG_PREFIX_SEPARATOR } from './constants';" +
    'export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });',
  // A region is in AWS_REGION; nobody asks the metadata of a virtual machine for it.
  '@smithy/core/dist-es/submodules/config/config-resolver/regionConfig/getInstanceMetadataRegion.js':
    'export const getInstanceMetadataRegion = async () => undefined;',
  // What endpoints of S3 need.
  '@smithy/core/dist-es/submodules/endpoints/middleware-endpoint/service-customizations/index.js':
    'export const resolveParamsForS3 = async (parameters) => parameters;',
  // Retries with a rate limiter on our side are what AWS_RETRY_MODE=adaptive asks for; a function retries as by default.
  '@smithy/core/dist-es/submodules/retry/util-retry/AdaptiveRetryStrategy.js':
    "export { StandardRetryStrategy as AdaptiveRetryStrategy } from './StandardRetryStrategy';",
  // Strict parsers of dates. Of what we ask no answer holds one, and the platform's parse what `Retry-After` may say.
  '@smithy/core/dist-es/submodules/serde/date-utils.js':
    'export const dateToUtcString = (date) => date.toUTCString();' +
    'const parse = (value) => (value == null ? undefined : new Date(value));' +
    'export { parse as parseRfc3339DateTime, parse as parseRfc3339DateTimeWithOffset, parse as parseRfc7231DateTime };' +
    'export const parseEpochTimestamp = (value) => (value == null ? undefined : new Date(Number(value) * 1e3));',
  // Signs the frames of event streams.
  '@smithy/signature-v4/dist-es/HeaderFormatter.js': 'export class HeaderFormatter {}',
  // For clients that are given a logger. Ours are not.
  '@aws-sdk/core/dist-es/submodules/client/middleware-logger/loggerMiddleware.js':
    'export const loggerMiddlewareOptions = {};' +
    'export const loggerMiddleware = () => (next) => next;' +
    'export const getLoggerPlugin = () => ({ applyToStack: () => {} });',
  // Which features of the SDK a call used, for the statistics of its makers.
  '@aws-sdk/core/dist-es/submodules/client/middleware-user-agent/check-features.js':
    'export const checkFeatures = async () => {};',
  // Of an old Node.
  '@aws-sdk/core/dist-es/submodules/client/emitWarningIfUnsupportedVersion.js':
    'export const state = { warningEmitted: true };' + 'export const emitWarningIfUnsupportedVersion = () => {};',
  // Only for AWS_DEFAULTS_MODE, which no function sets.
  '@smithy/core/dist-es/submodules/config/defaults-mode/resolveDefaultsModeConfig.js':
    "export const resolveDefaultsModeConfig = () => async () => 'legacy';",
  // SHA-256 and MD5 in JavaScript, for a Node without the real ones.
  '@smithy/core/dist-es/submodules/checksum/sha256/Sha256Js.js': 'export class Sha256Js {}',
  '@smithy/core/dist-es/submodules/checksum/md5/Md5Js.js': 'export class Md5Js {}',
  // Which member of an operation goes where in a request. Ours all go into the body, of a host without a prefix.
  '@smithy/core/dist-es/submodules/protocols/HttpBindingNormalizedSchema.js':
    'export class HttpBindingNormalizedSchema {}' + 'export const getHttpOperationBindings = () => [];',
  // Numbers that JavaScript cannot hold. DynamoDB's are texts, and the others of ours are small.
  '@smithy/core/dist-es/submodules/protocols/json/needsReviver.js': 'export const needsReviver = () => false;',
  '@smithy/core/dist-es/submodules/protocols/json/jsonReviver.js': 'export const jsonReviver = undefined;',
  // Hides fields from a client's logger.
  '@smithy/core/dist-es/submodules/client/smithy-client/schemaLogFilter.js':
    'export const schemaLogFilter = () => undefined;',
  // Asks a service for its own address, which Timestream needs.
  '@aws-sdk/middleware-endpoint-discovery/dist-es/resolveEndpointDiscoveryConfig.js':
    'export const resolveEndpointDiscoveryConfig = (input) => input;',
  '@aws-sdk/middleware-endpoint-discovery/dist-es/configurations.js':
    'const nothing = () => undefined;' +
    'export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = ' +
    '{ environmentVariableSelector: nothing, configFileSelector: nothing, default: undefined };',
  // Another way to find a service: at an address of the account, which the plain endpoints below do not read.
  '@aws-sdk/core/dist-es/submodules/account-id-endpoint/AccountIdEndpointModeConfigResolver.js':
    'export const resolveAccountIdEndpointModeConfig = (input) => input;',
  '@aws-sdk/core/dist-es/submodules/account-id-endpoint/NodeAccountIdEndpointModeConfigOptions.js':
    'const nothing = () => undefined;' +
    'export const ENV_ACCOUNT_ID_ENDPOINT_MODE = undefined, CONFIG_ACCOUNT_ID_ENDPOINT_MODE = undefined;' +
    'export const NODE_ACCOUNT_ID_ENDPOINT_MODE_CONFIG_OPTIONS = ' +
    "{ environmentVariableSelector: nothing, configFileSelector: nothing, default: 'disabled' };",
  // Functions that rules of endpoints call, of which none are left.
  '@aws-sdk/core/dist-es/submodules/client/util-endpoints/aws.js': 'export const awsEndpointFunctions = {};',
  // Time-outs of the modes that AWS_DEFAULTS_MODE may ask for.
  '@smithy/core/dist-es/submodules/client/smithy-client/defaults-mode.js':
    'export const loadConfigsForDefaultMode = () => ({});',
  // A body of bytes that answers as a text, for middleware of old. There is none here.
  '@smithy/core/dist-es/submodules/protocols/json/codec-v2/JsonBytesStringAdapter.js':
    'export class JsonBytesStringAdapter extends Uint8Array {' +
    'static allocUnsafe(bytes) {' +
    'const buffer = Buffer.allocUnsafe(bytes);' +
    'return new JsonBytesStringAdapter(buffer.buffer, buffer.byteOffset, buffer.byteLength); } }',
  // Keeps lines back until an error makes them wanted, which a logger must be asked for. Ours is not.
  '@aws-lambda-powertools/logger/lib/esm/logBuffer.js': 'export class CircularMap {}',
  // What the logger appends to its lines are plain values by key.
  '@aws-lambda-powertools/commons/lib/esm/deepMerge.js': 'export const deepMerge = Object.assign;',
  // Makes a store of the invocation where the runtime has none. A trace is then taken from the environment.
  '@aws/lambda-invoke-store/dist-es/invoke-store.js':
    'export const InvokeStore = { getInstanceAsync: async () => globalThis.awslambda?.InvokeStore };',
};

/** Methods that nothing calls here, by the end of the path of their class. */
const unusedMethods: Readonly<Record<string, readonly string[]>> = {
  // Requests are signed in their headers, not in their address. Events of streams are not signed.
  '@smithy/signature-v4/dist-es/SignatureV4.js': ['presign', 'signEvent', 'signMessage'],
  // Of protocols that are none of ours: errors by HTTP, streams of events, bodies of REST, documents.
  '@smithy/core/dist-es/submodules/protocols/HttpProtocol.js': ['resolveError', 'getEventStreamMarshaller'],
  '@smithy/core/dist-es/submodules/protocols/json/codec-v2/JsonShapeSerializer2.js': ['writeDiscriminatedDocument'],
  '@aws-sdk/core/dist-es/submodules/protocols/ProtocolLib.js': ['resolveRestContentType'],
  // A client keeps the options that it is made with.
  '@smithy/node-http-handler/dist-es/node-http-handler.js': ['updateHttpClientConfig'],
  // Decorators, children, sampling, correlation ids and the buffer of a logger. Ours writes each line at once.
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

/** A client lets extensions change its configuration, and hands it to each of them in four forms. It is given none. */
const noExtensions: Plugin = {
  name: 'no-extensions',
  setup(build) {
    build.onLoad({ filter: /@aws-sdk\/client-[a-z-]+\/dist-es\/runtimeExtensions\.js$/ }, () => ({
      contents: 'export const resolveRuntimeExtensions = (runtimeConfig) => runtimeConfig;',
    }));
  },
};

/** The errors that `core/` tells apart by their class. */
export const errorClasses: readonly string[] = ['ConditionalCheckFailedException', 'TransactionCanceledException'];

/**
 * A client registers a class for every error of every operation. An error without a class is one of the service's base
 * class, with the same name, status and fields, and that is all that anybody asks of the others.
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

/** Says that making a paginator does nothing else, so that a bundle leaves out those that nobody uses. */
const purePaginators: Plugin = {
  name: 'pure-paginators',
  setup(build) {
    build.onLoad({ filter: /@aws-sdk\/lib-dynamodb\/dist-es\/pagination\/\w+Paginator\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace('= createPaginator(', '= /* @__PURE__ */ createPaginator('),
      resolveDir: dirname(path),
    }));
  },
};

/** What the host of a service begins with. */
const hosts: Readonly<Record<string, string>> = {
  dynamodb: 'dynamodb',
  sqs: 'sqs',
  eventbridge: 'events',
  'cognito-identity-provider': 'cognito-idp',
};

/**
 * A client finds its endpoint by a decision diagram over accounts, FIPS and dual stacks, which nobody switches on here.
 * What is left of it: the endpoint that was given, or the service's host in its region.
 */
const plainEndpoints: Plugin = {
  name: 'plain-endpoints',
  setup(build) {
    const filter = /@aws-sdk\/client-([\w-]+)\/dist-es\/endpoint\/endpointResolver\.js$/;
    build.onLoad({ filter }, ({ path }) => {
      const [, client = ''] = filter.exec(path) ?? [];
      if (!hosts[client])
        throw new Error(`${path}: say in lib/bundle/lean-sdk.ts what the host of ${client} begins with.`);
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

/** A partition and the regions that belong to it. */
interface Partition {
  readonly regionRegex: string;
  readonly regions: Readonly<Record<string, object>>;
  readonly outputs: { readonly dnsSuffix: string };
}

/**
 * Every region has its description, which nobody reads, and most are matched by their partition's expression anyway. Of a
 * partition itself only the end of its hosts is read.
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
      // Lambda hands a function its credentials in the environment. The chain of every other source would be half of
      // each bundle, and it loads node:http, which in Node 24 loads undici.
      '@aws-sdk/credential-provider-node': `${projectFolder}/core/environment-credentials.ts`,
    },
    // Imported on the first call of an operation that streams events; DynamoDB, SQS and EventBridge have none.
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
