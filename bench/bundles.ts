/**
 * `npm run bench -- bundles`: the bundles of the functions and how fast they start. A start is the import of a bundle
 * in a fresh process and its first call, whose only call to DynamoDB is the key check. The production function, the
 * baseline and an empty handler take turns.
 *
 * The baseline is the bundle that CDK's `NodejsFunction` builds from the same handler when it bundles the SDK.
 */
import { deepStrictEqual } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type BuildOptions, build } from 'esbuild';
import * as routes from '../contract/integration/routes.ts';
import { stores } from '../contract/system/needs.ts';
import { createKeyValue } from '../core/keys/key-value.ts';
import { bundleFunctions, bundleOptions } from '../lib/bundle.ts';
import { projectFolder } from '../lib/project-folder.ts';
import { sharedBundles } from '../test/support/assembly.ts';
import { createTables, startDynamo, tableName } from '../test/support/dynamo.ts';
import { httpEvent, requestTo } from '../test/support/http.ts';
import type { Row } from './row.ts';
import { median, type Size } from './turns.ts';

const sizes = { full: { starts: 20 }, tiny: { starts: 1 } } as const;

/** The function that is started is as large as most of them. */
const started = 'api/list-services';
const bytesMax = 245_000;
/** This bundle contains the official SDK of the Model Context Protocol, and the functions of all tools. */
const agents = { name: 'api/call-mcp', bytesMax: 480_000 } as const;

/** The default flags of `aws-cdk-lib/aws-lambda-nodejs`: CommonJS, not minified. */
const nodejsFunction: BuildOptions = { bundle: true, platform: 'node', target: 'node24', logLevel: 'warning' };

interface Contender {
  readonly file: string;
  readonly bytes: number;
}

async function bundled(file: string, options: BuildOptions, entry: string): Promise<Contender> {
  await build({ ...options, absWorkingDir: projectFolder, entryPoints: [entry], outfile: file });
  return { file, bytes: (await stat(file)).size };
}

async function contenders(folder: string): Promise<Record<'ours' | 'agents' | 'withSdk' | 'empty', Contender>> {
  const entry = join(projectFolder, 'functions', `${started}.ts`);
  const empty = join(folder, 'empty.ts');
  await writeFile(empty, "export const handler = async () => ({ statusCode: 200, body: '' });\n");
  const { outExtension: _, ...ours } = bundleOptions;
  return {
    ours: await bundled(join(folder, 'ours.mjs'), ours, entry),
    agents: await bundled(join(folder, 'agents.mjs'), ours, join(projectFolder, 'functions', `${agents.name}.ts`)),
    withSdk: await bundled(join(folder, 'with-sdk.cjs'), nodejsFunction, entry),
    empty: await bundled(join(folder, 'empty.mjs'), ours, empty),
  };
}

interface Start {
  readonly ms: number;
  readonly answer: { readonly statusCode: number; readonly body?: string };
}

const run = promisify(execFile);

async function start({ file }: Contender, event: object, environment: NodeJS.ProcessEnv): Promise<Start> {
  const script = fileURLToPath(new URL('./start-process.mjs', import.meta.url));
  const args = [script, pathToFileURL(file).href, JSON.stringify(event)];
  const { stdout } = await run(process.execPath, args, { env: environment });
  // The handler also logs to stdout; the result is the last line.
  return JSON.parse(stdout.slice(stdout.lastIndexOf('{"ms"'))) as Start;
}

function functionEnvironment(endpoint: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    ...Object.fromEntries(stores.map((store) => [`TABLE_${store.toUpperCase()}`, tableName(store)])),
  };
}

/** The response without the id of the request, to compare it. */
function withoutRequestId({ statusCode, body }: Start['answer']): object {
  const { requestId: _, ...rest } = JSON.parse(body ?? '{}') as Record<string, unknown>;
  return { statusCode, rest };
}

/** The rows about bundles. Takes about half a minute. */
export async function bench(size: Size): Promise<Row[]> {
  const parent = join(projectFolder, '.build');
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'bench-'));
  const emulator = await startDynamo();
  try {
    await createTables(emulator.endpoint);
    const environment = functionEnvironment(emulator.endpoint);
    // A test run has built them already.
    const bundles = size === 'tiny' ? sharedBundles() : bundleFunctions(join(folder, 'all'));
    const all = [...(await bundles).values()];
    const builds = await contenders(folder);

    // The key is well-formed but unknown: the one call of the key check refuses it.
    const request = requestTo(routes.listServices, { headers: { 'x-api-key': createKeyValue({ test: true }) } });
    const event = httpEvent(request);
    const answers: object[] = [];
    for (const name of ['ours', 'agents', 'withSdk'] as const) {
      answers.push(withoutRequestId((await start(builds[name], event, environment)).answer));
    }
    deepStrictEqual((answers[0] as { statusCode: number }).statusCode, 401);
    for (const answer of answers) deepStrictEqual(answer, answers[0]);

    const starts = new Map(Object.keys(builds).map((name) => [name, [] as Start[]]));
    for (let round = 0; round < sizes[size].starts; round++) {
      for (const [name, contender] of Object.entries(builds)) {
        starts.get(name)?.push(await start(contender, event, environment));
      }
    }
    return rowsOf(all, builds, starts);
  } finally {
    await emulator.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function rowsOf(
  all: readonly { name: string; bytes: number }[],
  builds: Readonly<Record<string, Contender>>,
  starts: ReadonlyMap<string, readonly Start[]>,
): Row[] {
  const api = all
    .filter(({ name }) => name.startsWith('api/') && name !== agents.name)
    .sort((a, b) => b.bytes - a.bytes);
  const within = api.filter(({ bytes }) => bytes <= bytesMax).length;
  const largest = api[0] ?? { name: '', bytes: Number.NaN };
  const kilobytes = (name: string, bytes: number | undefined): Row => ({
    name: `bundles: ${name}`,
    value: (bytes ?? Number.NaN) / 1_000,
    unit: 'KB',
  });
  const ms = (name: string) => median((starts.get(name) ?? []).map((one) => one.ms));
  const started = (what: string, name: string): Row => ({
    name: `bundles: import and first call, ${what}`,
    value: ms(name),
    unit: 'ms',
  });
  const share = ms('ours') / ms('withSdk');
  return [
    {
      ...kilobytes(`largest API function (${largest.name.slice('api/'.length)})`, largest.bytes),
      ratio: `${within} of ${api.length} reach the goal`,
      goal: '≤ 245 KB',
      met: within === api.length,
    },
    {
      ...kilobytes('the tools of agents', builds.agents?.bytes),
      goal: '≤ 480 KB',
      met: (builds.agents?.bytes ?? Number.NaN) <= agents.bytesMax,
    },
    kilobytes('list-services, ours', builds.ours?.bytes),
    kilobytes('list-services, NodejsFunction with the SDK', builds.withSdk?.bytes),
    {
      ...started('ours', 'ours'),
      ratio: `${share.toFixed(2)} of NodejsFunction with the SDK`,
      goal: '≤ 0.50',
      met: share <= 0.5,
    },
    {
      ...started('the tools of agents', 'agents'),
      ratio: `${(ms('agents') / ms('ours')).toFixed(2)} of list-services`,
    },
    started('NodejsFunction with the SDK', 'withSdk'),
    started('an empty handler', 'empty'),
  ];
}
