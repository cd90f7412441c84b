/** The samples of the references: in each language, the request is that of the document. */
import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { accountRoutes } from '../../contract/account/api.ts';
import { allRoutes } from '../../contract/integration/api.ts';
import { accountOpenApiDocument, openApiDocument } from '../../contract/openapi.ts';
import { placeholders } from '../../site/addresses.ts';
import { type Sample, withSamples } from '../../site/samples.ts';
import { serveDuringTest } from '../support/faulty-proxy.ts';
import { temporaryFolder } from '../support/synthesised.ts';

const run = promisify(execFile);
const client = fileURLToPath(new URL('../../client/src/index.ts', import.meta.url));

type Sampled = { paths: Record<string, Record<string, { operationId: string; 'x-codeSamples': readonly Sample[] }>> };
const samplesOf = (name: string, document: object) => {
  const { paths } = JSON.parse(withSamples(name, JSON.stringify(document))) as Sampled;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return new Map(operations.map((operation) => [operation.operationId, operation['x-codeSamples']]));
};
const integration = samplesOf('openapi.json', openApiDocument());
const account = samplesOf('openapi-account.json', accountOpenApiDocument());

test('The API reference has samples in curl, Python and PHP for each operation, and in TypeScript for the integration API', () => {
  const labels = ([name, samples]: [string, readonly Sample[]]) => `${name}: ${samples.map(({ label }) => label)}`;
  expect([...integration].map(labels)).toEqual(
    [...integration.keys()].map((name) => `${name}: curl,TypeScript client,Python,PHP`),
  );
  expect([...account].map(labels)).toEqual([...account.keys()].map((name) => `${name}: curl,Python,PHP`));
});

test('The API accepts the query string of each request sample in the API reference', () => {
  const sides = [
    [integration, allRoutes],
    [account, accountRoutes],
  ] as const;
  for (const [samples, routes] of sides) {
    for (const { operation, query } of routes) {
      if (!query) continue;
      const curl = samples.get(operation)?.find(({ label }) => label === 'curl');
      expect(z.safeParse(query, queryOf(curl?.source.split("'")[1])).error, operation).toBeUndefined();
    }
  }
});

function queryOf(url = ''): Readonly<Record<string, string>> {
  return Object.fromEntries(new URL(url, 'http://localhost').searchParams);
}

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** Runs a sample, and returns the request that its server got. */
async function sentBy({ label, source }: Sample): Promise<Received> {
  const received: Received[] = [];
  const origin = await serveDuringTest(async (request, response) => {
    const sent = await text(request);
    const { method, url, headers } = request;
    received.push({ method, url, headers, body: sent === '' ? undefined : JSON.parse(sent) });
    response.writeHead(method === 'DELETE' ? 204 : 200, { 'Content-Type': 'application/json' });
    response.end(method === 'DELETE' ? undefined : '{}');
  });
  const here = source
    .replaceAll(placeholders.integration, `${origin}/v1/integration`)
    .replaceAll(placeholders.testKey, 'bk_test_1')
    .replaceAll("'booking-integration-client'", `'${client}'`);
  const file = join(temporaryFolder('sample'), label === 'TypeScript client' ? 'sample.mjs' : 'sample');
  writeFileSync(file, here);
  const commands: Readonly<Record<string, readonly [string, ...string[]]>> = {
    curl: ['sh', file],
    Python: ['python3', file],
    PHP: ['php', file],
    'TypeScript client': [process.execPath, file],
  };
  const [command, ...args] = commands[label] ?? ['false'];
  await run(command, args, { timeout: 60_000 });
  return received[0] ?? { method: undefined, url: undefined, headers: {}, body: undefined };
}

/** The queries of the documented requests, without optional filters. */
const sent: Readonly<Record<string, object>> = {
  listSlots: { serviceId: '1002', from: '2026-12-02', to: '2026-12-02' },
};

/** Each command succeeds if the machine can run the samples of the language. Those in PHP use its extension `curl`. */
const checks = {
  curl: 'curl --version',
  Python: 'python3 --version',
  PHP: 'php --ri curl',
  'TypeScript client': 'node --version',
};
const isReady = (check: string) => spawnSync(check, { shell: true }).status === 0;

describe.each(['createBooking', 'listSlots', 'updateWebhook', 'releaseHold', 'cancelBooking'])(
  'the samples of %s',
  (operation) => {
    for (const [label, check] of Object.entries(checks)) {
      const isSkipped = !isReady(check);
      test.skipIf(isSkipped)(
        `The ${label} sample of ${operation} sends the documented request${isSkipped ? ` (${check} fails)` : ''}`,
        async () => {
          const sample = integration.get(operation)?.find((one) => one.label === label);
          if (!sample) throw new Error(`${operation} has no sample in ${label}`);
          const { method, url, headers, body } = await sentBy(sample);
          const { paths } = openApiDocument() as {
            paths: Record<string, Record<string, { operationId: string; requestBody?: { content: object } }>>;
          };
          const [path = '', methods = {}] =
            Object.entries(paths).find(([, each]) =>
              Object.values(each).some((one) => one.operationId === operation),
            ) ?? [];
          const shown = Object.entries(methods).find(([, one]) => one.operationId === operation);
          const content = shown?.[1].requestBody?.content as { 'application/json': { example?: unknown } } | undefined;
          expect(method?.toLowerCase()).toBe(shown?.[0]);
          const pattern = path.replaceAll('/', '\\/').replaceAll(/\{\w+\}/g, '[^/{}]+');
          expect(url).toMatch(new RegExp(`^\\/v1\\/integration${pattern}(\\?|$)`));
          expect(queryOf(url)).toEqual(sent[operation] ?? {});
          expect(headers['x-api-key']).toBe('bk_test_1');
          expect(body).toEqual(content?.['application/json'].example);
          if (operation === 'createBooking') expect(headers['idempotency-key']).toMatch(/^[\w-]{32,36}$/);
        },
      );
    }
  },
);

test("The API reference fills in no optional filter except the serviceId of slots, so that a reader's request returns results", () => {
  const sampled = withSamples('openapi.json', JSON.stringify(openApiDocument()));
  const { paths, components } = JSON.parse(sampled) as {
    paths: Record<string, Record<string, { parameters?: Proposed[] }>>;
    components: { parameters: Record<string, Proposed> };
  };
  const inline = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ parameters = [] }) => parameters),
  );
  const proposed = [...inline, ...Object.values(components.parameters)].filter(({ in: place }) => place === 'query');
  const optional = proposed.filter(({ required, example }) => !required && example !== undefined);
  expect(optional).toEqual([components.parameters.ServiceIdOfSlots]);
  expect(proposed.some(({ required, example }) => required && example !== undefined)).toBe(true);
});

interface Proposed {
  readonly in?: string;
  readonly required?: boolean;
  readonly example?: unknown;
}
