import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import * as accountRows from '../../contract/account/routes.ts';
import * as rows from '../../contract/integration/routes.ts';
import { type Needs, type Store, stores, type TableAction } from '../../contract/system/needs.ts';
import { noticesQueue, type Queue, queues } from '../../contract/system/queues.ts';
import { schedules } from '../../contract/system/schedules.ts';
import { type Stream, streams } from '../../contract/system/streams.ts';
import { type Api, apis } from '../../lib/apis.ts';
import { withoutDocumentation } from '../../lib/bundle/contract.ts';
import { replacedModules } from '../../lib/bundle/lean-sdk.ts';
import { type Bundle, buildOf, bundleOptions, sources } from '../../lib/bundle.ts';
import { assertHandlersExist, handlerOf, handlers } from '../../lib/handlers.ts';
import { projectFolder } from '../../lib/project-folder.ts';
import { sharedAssembly, sharedBundles } from '../support/assembly.ts';
import { temporaryFolder } from '../support/synthesised.ts';

/** The bundle with the official SDK of the Model Context Protocol and eleven functions of `core/`. */
const agents = 'api/call-mcp';

const bundles = await sharedBundles();

const codeOf = ({ folder }: Pick<Bundle, 'folder'>) => readFileSync(join(folder, 'index.mjs'), 'utf8');

function bundleOf(name: string): Bundle {
  const found = [...bundles.values()].find((bundle) => bundle.name === name);
  if (!found) throw new Error(`There is no bundle ${name}.`);
  return found;
}

test('Every function handler is bundled into a folder of its own, together with its source map', () => {
  expect([...bundles.keys()]).toEqual(handlers.map(({ name }) => name));
  for (const { folder } of bundles.values()) expect(readdirSync(folder)).toEqual(['index.mjs', 'index.mjs.map']);
});

test('No function bundle contains a tracing library such as X-Ray or OpenTelemetry', () => {
  for (const { name, folder } of bundles.values()) {
    const code = codeOf({ folder });
    for (const tracer of ['AWS_XRAY_DAEMON_ADDRESS', 'putAnnotation', 'addAnnotation', 'opentelemetry']) {
      expect(code.includes(tracer), `${name}: ${tracer}`).toBe(false);
    }
  }
});

test('Every handler file belongs to an endpoint, queue, stream or schedule in contract/', () => {
  const kinds = new Set(handlers.map(({ name }) => name.slice(0, name.indexOf('/'))));
  const files = [...kinds].flatMap((kind) =>
    readdirSync(join(projectFolder, 'functions', kind)).map((file) => `${kind}/${file}`),
  );
  expect(files.sort()).toEqual(handlers.map(({ name }) => `${name}.ts`).sort());
});

test('A function handler that is bundled alone has the same bytes as when it is bundled with all others', async () => {
  const print = (bytes: Uint8Array) => hash('sha256', bytes);
  const among = new Map(
    [...bundles].map(([name, { folder }]) => [name, print(readFileSync(join(folder, 'index.mjs')))]),
  );
  for (const { name } of new Map(handlers.map((handler) => [dirname(handler.name), handler])).values()) {
    const [code] = (await buildOf([name])).outputFiles.filter(({ path }) => path.endsWith('.mjs'));
    expect(print(code?.contents ?? new Uint8Array()), name).toBe(among.get(name));
  }
  const assembly = await sharedAssembly();
  const deployed = readdirSync(assembly)
    .map((name) => join(assembly, name, 'index.mjs'))
    .filter((file) => existsSync(file));
  expect(new Set(deployed.map((file) => print(readFileSync(file))))).toEqual(new Set(among.values()));
});

/** The functions of `core/store` that call an action of DynamoDB. Their first argument is the table. */
const callers: Readonly<Record<TableAction, string>> = {
  GetItem: 'getItem',
  BatchGetItem: 'getItems',
  Query: 'queryPage|pages|queryAll|queryPrefix',
  PutItem: 'put|putNew',
  UpdateItem: 'set|setOrCreate|add',
  DeleteItem: 'remove',
  BatchWriteItem: 'deleteEach|deleteTogether',
  ConditionCheckItem: 'check',
  PartiQLInsert: 'insert',
  PartiQLUpdate: 'update',
};

function mayCall(code: string, store: Store, action: TableAction): boolean {
  const ofRecords = store === 'records' ? { GetItem: 'loadItem', BatchGetItem: 'getRecords' } : {};
  const other = Object.entries(ofRecords).find(([name]) => name === action)?.[1];
  const forms = [
    `\\b(?:${callers[action]})\\d*\\(\\s*"${store}"`,
    ...(other ? [`\\b${other}\\d*\\(`] : []),
    ...(action === 'BatchGetItem' ? [`store: "${store}"`] : []),
  ];
  return new RegExp(forms.join('|')).test(code);
}

test('Each DynamoDB permission of a function is needed by a call in its bundle, except permissions to count and log requests', async () => {
  const { outputFiles } = await build({
    ...bundleOptions,
    minify: false,
    packages: 'external',
    write: false,
    absWorkingDir: projectFolder,
    entryPoints: handlers.map(({ name }) => ({ in: `functions/${name}.ts`, out: name })),
    outdir: '.',
  });
  const codes = new Map(outputFiles.map(({ path, text }) => [path, text]));
  const granted: readonly (readonly [name: string, needs: Needs])[] = [
    ...Object.values<Api>(apis).flatMap((api) =>
      api.rows.map(({ operation, needs }) => [handlerOf.route(api, operation), needs] as const),
    ),
    ...Object.values<Queue>({ ...queues, noticesQueue }).map((row) => [handlerOf.queue(row), row.needs] as const),
    ...Object.entries<Stream>(streams).map(([operation, { needs }]) => [handlerOf.stream(operation), needs] as const),
    ...Object.entries(schedules).map(([operation, { needs }]) => [handlerOf.schedule(operation), needs] as const),
  ];
  const unneeded = (name: string, needs: Needs) =>
    stores.flatMap((store) =>
      (needs[store] ?? [])
        .filter((action) => !mayCall(codes.get(join(projectFolder, `${name}.mjs`)) ?? '', store, action))
        .map((action) => `${name}: ${action} ${store}`),
    );
  const named = [
    ...granted.map(([name]) => name),
    ...Object.values<Api>(apis).flatMap((api) => api.extras.map(({ operation }) => handlerOf.route(api, operation))),
  ];
  expect(new Set(named)).toEqual(new Set(handlers.map(({ name }) => name)));
  expect(granted.flatMap(([name, needs]) => unneeded(name, needs))).toEqual([]);
  // Negative control: every action on a table that the function does not use.
  const all = Object.keys(callers) as TableAction[];
  expect(unneeded('api/list-services', { secrets: all })).toHaveLength(all.length);
});

test('A change of any source file of a function bundle causes a new bundle', () => {
  const inputs = new Set([...bundles.values()].flatMap((bundle) => bundle.inputs.map(({ path }) => path)));
  const own = [...inputs].filter((path) => !/^(?:node_modules\/|builtin:|idle:)/.test(path));
  expect(own.length).toBeGreaterThan(handlers.length);
  expect(own.filter((path) => !sources.some((source) => `${path}/`.startsWith(`${source}/`)))).toEqual([]);
});

test('Function bundles are at most 245 KB, except those of the tools for AI agents and of the function `trigger-event`', () => {
  const bytesMax = new Map([
    [agents, 480_000],
    ['account/trigger-event', 252_000],
  ]);
  const large = [...bundles.values()].filter(({ name, bytes }) => bytes > (bytesMax.get(name) ?? 245_000));
  expect(large.map(({ name, bytes }) => `${name}: ${bytes}`)).toEqual([]);
});

test('Only the functions that create or update an API key contain the Public Suffix List', () => {
  const withSuffixes = [...bundles.values()].filter(({ inputs }) =>
    inputs.some(({ path, bytes }) => bytes > 30_000 && path.endsWith('public-suffixes.ts')),
  );
  expect(withSuffixes.map(({ name }) => name)).toEqual(['account/create-api-key', 'account/update-api-key']);
});

test('Only the function bundle of the tools for AI agents contains code of the Model Context Protocol', () => {
  const withProtocol = [...bundles.values()].filter(({ inputs }) =>
    inputs.some(({ path }) => /modelcontextprotocol|core\/agents/.test(path)),
  );
  expect(withProtocol.map(({ name }) => name)).toEqual([agents]);
  const unused = bundleOf(agents).inputs.filter(({ path, bytes }) => bytes > 0 && /ajv|cfWorker/.test(path));
  expect(unused).toEqual([]);
});

test('The bundle of the function get-business contains only the DynamoDB client of the AWS SDK, and that of preflight none', () => {
  const clients = (name: string) =>
    new Set(bundleOf(name).inputs.flatMap(({ path }) => /@aws-sdk\/(client-[a-z-]+)\//.exec(path)?.[1] ?? []));
  expect(clients('api/preflight')).toEqual(new Set());
  expect(clients('api/get-business')).toEqual(new Set(['client-dynamodb']));
});

test('The bundle of the function get-business contains its own response schema, and no schema of webhooks', () => {
  const code = codeOf(bundleOf('api/get-business'));
  expect(code).toContain('bookingRules');
  expect(code).not.toContain('Register a webhook');
  expect(code).not.toContain('consecutiveFailures');
});

test('A function bundle contains code to read AWS credentials from environment variables, and from no other source', () => {
  for (const { inputs } of bundles.values()) {
    expect(
      inputs.filter(({ path }) => /credential-provider-(?!env)|token-providers|nested-clients/.test(path)),
    ).toEqual([]);
  }
});

test('A function bundle imports no Node.js module, because `process.getBuiltinModule` loads such modules faster', () => {
  for (const { name, folder } of bundles.values()) {
    const code = codeOf({ folder });
    const imported = [...code.matchAll(/\b(?:from|import\(|require\()\s*["']((?:node:)?[\w/]+)["']/g)].map(
      ([, of]) => of,
    );
    expect(imported, name).toEqual([]);
  }
});

const contract = join(projectFolder, 'contract');
const contractSources = readdirSync(contract, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, source: readFileSync(join(contract, file), 'utf8') }));

test('Except for the tools for AI agents, no function bundle contains texts of the API documentation', () => {
  const texts = contractSources.flatMap(({ source }) => [
    ...source.matchAll(/\b(?:field|object)\(\s*'((?:[^'\\\n]|\\.)*)'/g),
  ]);
  const summaries = [...Object.values(rows), ...Object.values(accountRows)].flatMap((row) =>
    'summary' in row ? [row.summary] : [],
  );
  const words = [...texts.map(([, text = '']) => text), ...summaries].filter((text) => text.length > 20);
  expect(words.length).toBeGreaterThan(200);
  for (const { name, folder } of bundles.values()) {
    // The list of its tools contains their descriptions.
    if (name === agents) continue;
    const code = codeOf({ folder });
    // Each text is one literal. Searching only those with the same beginning as a literal is a hundred times faster.
    const begun = new Set([...code.matchAll(/["'`](?=(.{20}))/g)].map(([, beginning]) => beginning));
    expect(begun.size, name).toBeGreaterThan(10);
    expect(
      words.filter((text) => begun.has(text.slice(0, 20)) && code.includes(text)),
      name,
    ).toEqual([]);
  }
});

test('Removing documentation texts from function bundles keeps the response schema of every endpoint', () => {
  const lean = contractSources.map(({ file, source }) => ({ source, bare: withoutDocumentation(source, file) }));
  const outputs = (text: string) => text.match(/^ {2}output: /gm)?.length ?? 0;
  expect(lean.reduce((sum, { source }) => sum + outputs(source), 0)).toBeGreaterThan(50);
  for (const { source, bare } of lean) expect(outputs(bare)).toBe(outputs(source));
});

const replaced = Object.keys(replacedModules).map((path) => {
  const [scope, name] = path.split('/');
  return [path.split('/').at(-1), `${scope}/${name}`, path] as const;
});

test.each(replaced)(
  'The file %s, which function bundles replace with a smaller one, still exists in the npm package %s',
  (...[, , path]) => {
    expect(existsSync(join(projectFolder, 'node_modules', path))).toBe(true);
  },
);

test('If a function listed in contract/ has no handler file, cdk synth fails and the error names the missing file', () => {
  const functionsFolder = temporaryFolder('functions');
  for (const { name } of handlers) {
    if (['api/create-webhook', 'streams/relay-events'].includes(name)) continue;
    const file = join(functionsFolder, `${name}.ts`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
  }
  expect(() => assertHandlersExist(functionsFolder)).toThrow(
    [
      '  functions/api/create-webhook.ts, for the row createWebhook, POST /v1/integration/webhooks',
      '  functions/streams/relay-events.ts, for the row relayEvents of contract/system/streams.ts',
    ].join('\n'),
  );
});
