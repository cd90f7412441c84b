/** The SDK of a bundle behaves like the whole SDK: both make the same calls to the same services. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { build } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { errorClasses } from '../../lib/bundle/lean-sdk.ts';
import { bundleOptions } from '../../lib/bundle.ts';
import { projectFolder } from '../../lib/project-folder.ts';
import { serveDuringTest } from '../support/faulty-proxy.ts';
import { temporaryFolder } from '../support/synthesised.ts';

interface Sdk {
  /** The host of each service, by the package of its client. */
  readonly hosts: Readonly<Record<string, (region: string, endpoint?: string) => URL>>;
  readonly client: (endpoint: string) => DynamoDBDocumentClient;
  readonly get: (client: DynamoDBDocumentClient) => Promise<unknown>;
  readonly pages: (client: DynamoDBDocumentClient) => AsyncIterable<{ readonly Items?: object[] }>;
  readonly conditionFailed: new (...args: never[]) => Error;
}

const source = `
import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, GetCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
export { ConditionalCheckFailedException as conditionFailed };
const host = (Client) => (Region, Endpoint) =>
  new Client({ region: Region }).config.endpointProvider({ Region, Endpoint, UseFIPS: false, UseDualStack: false }).url;
export const hosts = { dynamodb: host(DynamoDBClient), sqs: host(SQSClient), eventbridge: host(EventBridgeClient) };
export const client = (endpoint) => DynamoDBDocumentClient.from(new DynamoDBClient({
  endpoint, region: 'eu-central-1', maxAttempts: 2, credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
}));
export const get = (client) => client.send(new GetCommand({ TableName: 'table', Key: { pk: 'a' } }));
export const pages = (client) => paginateQuery({ client }, { TableName: 'table', KeyConditionExpression: 'pk = a' });
`;

interface Answer {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const sdks = {} as Record<'bundled' | 'whole', Sdk>;

beforeAll(async () => {
  const folder = temporaryFolder('lean-sdk');
  const entry = join(folder, 'entry.ts');
  writeFileSync(entry, source);
  const { outExtension: _, alias, external, plugins, ...common } = bundleOptions;
  for (const [name, lean] of Object.entries({ bundled: { alias, external, plugins }, whole: {} })) {
    const outfile = join(folder, `${name}.mjs`);
    const nodePaths = [join(projectFolder, 'node_modules')];
    await build({ ...common, ...lean, nodePaths, absWorkingDir: projectFolder, entryPoints: [entry], outfile });
    sdks[name as keyof typeof sdks] = (await import(pathToFileURL(outfile).href)) as Sdk;
  }
});

/** Calls both; returns their results and requests, the whole SDK's first. */
async function both<T>(given: readonly Answer[], call: (sdk: Sdk, client: DynamoDBDocumentClient) => Promise<T>) {
  const outcomes: { result: T; requests: object[] }[] = [];
  for (const sdk of [sdks.whole, sdks.bundled]) {
    const answers = [...given];
    const requests: object[] = [];
    const endpoint = await serveDuringTest(async (request, response) => {
      requests.push({ target: request.headers['x-amz-target'], body: await text(request) });
      const { status, body, headers }: Answer = answers.shift() ?? { status: 200, body: {} };
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', ...headers });
      response.end(JSON.stringify(body));
    });
    const client = sdk.client(endpoint);
    const result = await call(sdk, client);
    client.destroy();
    outcomes.push({ result, requests });
  }
  return outcomes;
}

const refusal = (name: string, fields: object = {}) => ({
  __type: `com.amazonaws.dynamodb.v20120810#${name}`,
  message: 'words',
  ...fields,
});

test.each([
  ['ConditionalCheckFailedException', 400, { Item: { pk: { S: 'a' } } }],
  ['TransactionCanceledException', 400, { CancellationReasons: [{ Code: 'ConditionalCheckFailed' }] }],
  ['ResourceNotFoundException', 400, {}],
  ['TransactionConflictException', 400, {}],
  ['ThrottlingException', 400, {}],
  ['ProvisionedThroughputExceededException', 400, {}],
  ['InternalServerError', 500, {}],
  ['BackupInUseException', 400, {}],
  ['NeverHeardOf', 400, {}],
])(
  'The reduced AWS SDK in function bundles reports %s with the same fields and after as many attempts as the full SDK',
  async (name, status, fields) => {
    const answer = { status, body: refusal(name, fields) };
    const [whole, bundled] = await both([answer, answer, answer], (sdk, client) =>
      sdk.get(client).then(
        () => undefined,
        (error) => ({
          name: error.name,
          message: error.message,
          fault: error.$fault,
          status: error.$metadata.httpStatusCode,
          attempts: error.$metadata.attempts,
          item: error.Item,
          reasons: error.CancellationReasons,
          isConditionFailed: error instanceof sdk.conditionFailed,
        }),
      ),
    );
    expect(whole?.result).toMatchObject({ name, status });
    expect(bundled).toEqual(whole);
  },
);

test('The reduced AWS SDK in function bundles repeats a throttled call after the pause that the AWS service asks for', async () => {
  const throttled = { status: 400, body: refusal('ThrottlingException'), headers: { 'x-amz-retry-after': '1' } };
  const [whole, bundled] = await both([throttled, { status: 200, body: { Item: { pk: { S: 'a' } } } }], (sdk, client) =>
    sdk.get(client).then((output) => (output as { Item: object }).Item),
  );
  expect(bundled?.requests).toHaveLength(2);
  expect(bundled).toEqual(whole);
});

test('The reduced AWS SDK in function bundles reads all pages of a paginated list', async () => {
  const pages = [
    { status: 200, body: { Items: [{ n: { N: '1' }, bytes: { B: 'AQI=' } }], LastEvaluatedKey: { pk: { S: 'a' } } } },
    { status: 200, body: { Items: [{ n: { N: '2' } }] } },
  ];
  const [whole, bundled] = await both(pages, async (sdk, client) => {
    const items: object[] = [];
    for await (const { Items = [] } of sdk.pages(client)) items.push(...Items);
    return items;
  });
  expect(bundled?.result).toEqual([{ n: 1, bytes: new Uint8Array([1, 2]) }, { n: 2 }]);
  expect(bundled).toEqual(whole);
});

const regions = [
  'eu-central-1',
  'us-east-1',
  'cn-north-1',
  'us-gov-west-1',
  'us-iso-east-1',
  'eusc-de-east-1',
  'aws-global',
  'eu-new-9',
];

test.each(['dynamodb', 'sqs', 'eventbridge'])(
  'The reduced AWS SDK in function bundles finds the host of %s in every region, unless another host is configured',
  (service) => {
    const configurations: readonly { region: string; given?: string }[] = [
      ...regions.map((region) => ({ region })),
      { region: 'eu-central-1', given: 'http://127.0.0.1:1234' },
    ];
    const hostsOf = ({ hosts }: Sdk) =>
      configurations.map(({ region, given }) => String(hosts[service]?.(region, given)));
    expect(new Set(hostsOf(sdks.bundled)).size).toBe(configurations.length);
    expect(hostsOf(sdks.bundled)).toEqual(hostsOf(sdks.whole));
  },
);

test.each(clients('core'))(
  'No operation of %s needs a special host name, because the reduced AWS SDK in function bundles uses one host for each service',
  (client) => {
    const schemas = join(projectFolder, 'node_modules', client, 'dist-es/schemas/schemas_0.js');
    expect(readFileSync(schemas, 'utf8')).not.toContain('"endpoint"');
  },
);

test('No code in core/ uses AWS error classes that the reduced AWS SDK in function bundles leaves out', () => {
  const named = texts('core')
    .flatMap((text) => [...text.matchAll(/^import \{([^}]*)\} from '@aws-sdk\/client-/gm)])
    .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
    .filter((name) => /^(?!type )\w*(?:Exception|Error)$/.test(name));
  expect([...new Set(named)].sort()).toEqual([...errorClasses].sort());
});

function texts(folder: string): string[] {
  return readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(projectFolder, folder, file), 'utf8'));
}

/** The clients that functions import, by their packages. */
function clients(folder: string): string[] {
  return [...new Set(texts(folder).flatMap((text) => text.match(/@aws-sdk\/client-[a-z-]+/g) ?? []))];
}
