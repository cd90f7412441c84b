/**
 * Clients that third-party tools generate from the published document, configured as in `docs/generating-clients.md`:
 * each compiles in strict mode, makes a booking and reads a refusal.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { integrationPrefix } from '../../../contract/integration/api.ts';
import { accountOpenApiDocument, openApiDocument } from '../../../contract/openapi.ts';
import { type CommandOptions, command } from '../../support/command.ts';
import { type Journeys, newTenant } from '../../support/local.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const inRoot = (path: string) => join(root, path);

interface Document {
  readonly webhooks: Readonly<
    Record<string, { post: { requestBody: { content: Record<string, { example?: unknown }> } } }>
  >;
}

interface Generator {
  readonly name: string;
  /** The command relative to `node_modules`, with its arguments. */
  readonly command: readonly [string, ...string[]];
  /**
   * A module that exports `book`. It makes the booking, tries again, and returns both results. It uses the generator's
   * validation of responses, if there is one.
   */
  readonly program: string;
}

const generators: readonly Generator[] = [
  {
    name: 'openapi-typescript with openapi-fetch',
    command: ['openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'schema.ts'],
    program: `
import createClient from 'openapi-fetch';
import type { paths } from './schema';
import type { Made, Wanted } from './made';

export async function book({ baseUrl, apiKey, booking }: Wanted): Promise<Made> {
  const api = createClient<paths>({ baseUrl, headers: { 'X-API-Key': apiKey } });
  const first = await api.POST('/bookings', { body: booking });
  if (first.error) throw new Error(first.error.code);
  if (!('id' in first.data)) throw new Error('A dry run, which nobody asked for');
  const again = await api.POST('/bookings', { body: { ...booking, staffId: first.data.staffId } });
  const error = again.error;
  if (error?.code !== 'slot_unavailable') throw new Error('The same start was booked twice');
  return { id: first.data.id, status: first.data.status, code: error.code, next: error.details.nextAvailable };
}
`,
  },
  {
    name: '@hey-api/openapi-ts with zod',
    command: ['@hey-api/openapi-ts/bin/run.js', '--file', 'openapi-ts.config.mjs'],
    program: `
import { createBooking } from './client';
import { createClient } from './client/client';
import { zChangedBooking, zWebhookEvent } from './client/zod.gen';
import type { Made, Wanted } from './made';

export async function book({ baseUrl, apiKey, booking, events }: Wanted): Promise<Made> {
  const client = createClient({ baseUrl, auth: apiKey });
  const first = await createBooking({ client, body: booking });
  if (first.error) throw new Error(first.error.code);
  const { id, staffId, status } = zChangedBooking.parse(first.data);
  const again = await createBooking({ client, body: { ...booking, staffId } });
  const error = again.error;
  if (error?.code !== 'slot_unavailable') throw new Error('The same start was booked twice');
  for (const event of events) zWebhookEvent.parse(event);
  return { id, status, code: error.code, next: error.details.nextAvailable };
}
`,
  },
  {
    name: 'orval with zod',
    command: ['orval/dist/bin/orval.mjs', '--config', 'orval.config.mjs'],
    program: `
import { createBooking } from './api';
import type { Made, Wanted } from './made';
import { GetBookingResponse } from './schemas';

export async function book({ apiKey, booking }: Wanted): Promise<Made> {
  const headers = { 'X-API-Key': apiKey };
  const first = await createBooking(booking, { headers });
  if (first.status !== 201) throw new Error(String(first.status));
  const { id, staffId, status } = GetBookingResponse.parse(first.data);
  const again = await createBooking({ ...booking, staffId }, { headers });
  if (again.status !== 409 || again.data.code !== 'slot_unavailable') throw new Error('The same start was booked twice');
  return { id, status, code: again.data.code, next: again.data.details.nextAvailable };
}
`,
  },
];

const document = openApiDocument() as unknown as Document;

/** The input of each program, and its result. */
const source = `
export interface Wanted {
  baseUrl: string;
  apiKey: string;
  booking: { serviceId: number; startTime: string; client: { name: string; email: string } };
  /** The published example of every message. */
  events: unknown[];
}
export interface Made { id: number; status: string; code: string; next: string[] }
`;

const compilerOptions = {
  strict: true,
  noEmit: true,
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: ['node'],
  module: 'esnext',
  moduleResolution: 'bundler',
  skipLibCheck: true,
};

export const generatedClients: Journeys = (local) =>
  describe('generated clients', () => {
    let project = '';
    beforeAll(async () => {
      // This folder is inside the project, so that the generated code finds its imports.
      await mkdir(inRoot('.build'), { recursive: true });
      project = await mkdtemp(inRoot('.build/generators-'));
    });
    afterAll(() => rm(project, { recursive: true, force: true }));

    test.concurrent.each(generators)(
      'A client library generated by $name compiles, makes a booking and reads an error',
      async ({ name, command: [path, ...args], program }) => {
        const folder = join(project, name.replaceAll(/\W+/g, '-'));
        await mkdir(folder);
        const files = {
          ...(await configurations()),
          'package.json': '{ "type": "module" }',
          'openapi.json': JSON.stringify(document),
          'made.ts': source,
          'book.ts': program,
          'tsconfig.json': JSON.stringify({ compilerOptions, include: ['**/*.ts'] }),
        };
        for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);

        const { run: system } = local();
        const baseUrl = `${system.baseUrl}${integrationPrefix}`;
        const legacyTypeScript = pathToFileURL(inRoot('test/support/legacy-typescript.mjs'));
        const env = { NODE_OPTIONS: `--import ${legacyTypeScript}`, BOOKING_API_URL: baseUrl };
        await outputOf(path, args, { folder, env });
        expect(await outputOf('typescript/bin/tsc', ['-p', folder])).toBe('');

        const tenant = await newTenant(local());
        const booking = tenant.booking();
        const wanted = { baseUrl, apiKey: tenant.key.value, booking, events: examplesOfMessages(document) };
        const { id, status, code, next } = await runProgram(folder, wanted);
        expect({ status, code, next }).toEqual({
          status: 'confirmed',
          code: 'slot_unavailable',
          next: expect.arrayContaining([expect.any(String)]),
        });
        const { body } = await tenant.call(`GET`, `/bookings/${id}`);
        expect(body).toMatchObject({ id, serviceId: booking.serviceId, status: 'confirmed' });
      },
    );

    test('swagger-parser accepts the OpenAPI documents of the integration API and of the account API', async () => {
      for (const one of [document, accountOpenApiDocument()]) {
        await expect(validated(one)).resolves.toMatchObject({ openapi: '3.1.0' });
      }
    });

    test('Negative control: swagger-parser refuses a description of a server variable, because of an error in its own schema', async () => {
      // The parser's old meta-schema has a misprint, so server variables of the document have no description.
      const servers = [{ url: '{host}', variables: { host: { default: 'x', description: 'The host.' } } }];
      await expect(validated({ ...document, servers })).rejects.toThrow('/servers/0/variables/host');
    });
  });

/** The files of the guide, by the name in their first line. */
async function configurations(): Promise<Record<string, string>> {
  const page = await readFile(inRoot('docs/generating-clients.md'), 'utf8');
  const blocks = page.matchAll(/```js\n(\/\/ (\S+)\n[\s\S]*?)```/g);
  return Object.fromEntries(Array.from(blocks, ([, code = '', file = '']) => [file, code]));
}

/** Runs a program of `node_modules`, or any other, and fails the test unless it succeeds. */
async function outputOf(path: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await command(resolve(root, 'node_modules', path), args, options).ended;
  expect(code, `${stdout}${stderr}`).toBe(0);
  return stdout;
}

async function runProgram(
  folder: string,
  wanted: object,
): Promise<{ id: number; status: string; code: string; next: string[] }> {
  await build({
    stdin: {
      contents: `import { book } from './book';\nconsole.log(JSON.stringify(await book(JSON.parse(process.env.WANTED ?? ''))));`,
      resolveDir: folder,
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile: join(folder, 'main.mjs'),
  });
  return JSON.parse(await outputOf(join(folder, 'main.mjs'), [], { env: { WANTED: JSON.stringify(wanted) } }));
}

function examplesOfMessages({ webhooks }: Document): unknown[] {
  return Object.values(webhooks).flatMap(({ post }) => {
    const { example } = post.requestBody.content['application/json'] ?? {};
    return example === undefined ? [] : [example];
  });
}

/** Uses a copy, because the parser resolves references in place. */
function validated(document: unknown): Promise<unknown> {
  return SwaggerParser.validate(structuredClone(document) as never);
}
