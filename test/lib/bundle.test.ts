import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { replacedModules } from '../../lib/bundle/lean-sdk.ts';
import { type Bundle, buildOf, sources } from '../../lib/bundle.ts';
import { assertHandlersExist, handlers } from '../../lib/handlers.ts';
import { projectFolder } from '../../lib/project-folder.ts';
import { sharedAssembly, sharedBundles } from '../support/assembly.ts';
import { temporaryFolder } from '../support/synthesised.ts';

/** The bundle with the official SDK of the Model Context Protocol and eleven verbs. */
const agents = 'api/call-mcp';

const bundles = await sharedBundles();

function bundleOf(name: string): Bundle {
  const found = [...bundles.values()].find((bundle) => bundle.name === name);
  if (!found) throw new Error(`There is no bundle ${name}.`);
  return found;
}

test('Every handler is bundled into a folder of its own, together with its source map', () => {
  expect([...bundles.keys()]).toEqual(handlers.map(({ name }) => name));
  for (const { folder } of bundles.values()) expect(readdirSync(folder)).toEqual(['index.mjs', 'index.mjs.map']);
});

test('No function bundle contains code that adds data to the traces of Lambda', () => {
  for (const { name, folder } of bundles.values()) {
    const code = readFileSync(join(folder, 'index.mjs'), 'utf8');
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

test('A handler that is bundled alone has the same bytes as when it is bundled with all others', async () => {
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

test('A change of any file that a bundle is made from causes a new bundle', () => {
  const inputs = new Set([...bundles.values()].flatMap((bundle) => bundle.inputs.map(({ path }) => path)));
  const own = [...inputs].filter((path) => !/^(?:node_modules\/|builtin:|idle:)/.test(path));
  expect(own.length).toBeGreaterThan(handlers.length);
  expect(own.filter((path) => !sources.some((source) => `${path}/`.startsWith(`${source}/`)))).toEqual([]);
});

test('Function bundles are at most 245 KB, except those of the tools for AI agents and of triggered events', () => {
  const bytesMax = new Map([
    [agents, 480_000],
    ['account/trigger-event', 252_000],
  ]);
  const large = [...bundles.values()].filter(({ name, bytes }) => bytes > (bytesMax.get(name) ?? 245_000));
  expect(large.map(({ name, bytes }) => `${name}: ${bytes}`)).toEqual([]);
});

test('Only the functions that write the origins of an API key contain the list of public suffixes', () => {
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

test('The bundle of get-business contains only the DynamoDB client, and that of preflight no AWS client', () => {
  const clients = (name: string) =>
    new Set(bundleOf(name).inputs.flatMap(({ path }) => /@aws-sdk\/(client-[a-z-]+)\//.exec(path)?.[1] ?? []));
  expect(clients('api/preflight')).toEqual(new Set());
  expect(clients('api/get-business')).toEqual(new Set(['client-dynamodb']));
});

test('The bundle of get-business contains its own response schema and no schema of webhooks', () => {
  const code = readFileSync(join(bundleOf('api/get-business').folder, 'index.mjs'), 'utf8');
  expect(code).toContain('bookingRules');
  expect(code).not.toContain('Register a webhook');
  expect(code).not.toContain('consecutiveFailures');
});

test('A bundle reads AWS credentials only from the environment', () => {
  for (const { inputs } of bundles.values()) {
    expect(
      inputs.filter(({ path }) => /credential-provider-(?!env)|token-providers|nested-clients/.test(path)),
    ).toEqual([]);
  }
});

test('A function bundle loads no Node.js module itself, and uses only modules that its loader passes to it', () => {
  for (const { name, folder } of bundles.values()) {
    const code = readFileSync(join(folder, 'index.mjs'), 'utf8');
    const imported = [...code.matchAll(/\b(?:from|import\(|require\()\s*["']((?:node:)?[\w/]+)["']/g)].map(
      ([, of]) => of,
    );
    expect(imported, name).toEqual([]);
  }
});

const replaced = Object.keys(replacedModules).map((path) => {
  const [scope, name] = path.split('/');
  return [path.split('/').at(-1), `${scope}/${name}`, path] as const;
});

test.each(replaced)(
  'The file %s, which the bundles of functions replace, still exists in the package %s',
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
