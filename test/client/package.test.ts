/** Installs the package as integrators do: packed, in an empty project, without a network. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { serveDuringTest } from '../support/faulty-proxy.ts';
import { withPackedClient } from '../support/packed-client.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const project = withPackedClient();
const installed = () => join(project(), 'node_modules/booking-integration-client');

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>;
  readonly components: { readonly examples: Readonly<Record<string, { readonly value: unknown }>> };
}
type Responses = Readonly<Record<string, { content?: { 'application/json': { readonly example?: unknown } } }>>;

test('The npm package of the client library contains a manifest, a README, modules and types, and has no dependencies', async () => {
  const manifest = JSON.parse(await readFile(join(installed(), 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(manifest).not.toHaveProperty('dependencies');
  expect(await readdir(join(project(), 'node_modules'))).toEqual(expect.not.arrayContaining(['@types']));
  expect((await readdir(installed())).toSorted()).toEqual(['README.md', 'dist', 'package.json']);

  const filesOf = async (folder: string) =>
    (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts') || name.endsWith('.js'));
  const modules = (await filesOf(join(root, 'client/src'))).map((name) => name.slice(0, -'.ts'.length));
  const shipped = await filesOf(join(installed(), 'dist'));
  expect(modules).toContain(join('generated', 'operations'));
  expect(shipped.toSorted()).toEqual(modules.flatMap((name) => [`${name}.d.ts`, `${name}.js`]).toSorted());
  for (const name of shipped) {
    const text = await readFile(join(installed(), 'dist', name), 'utf8');
    const imports = [...text.matchAll(/(?:from|import\()\s*['"]([^'"]+)['"]/g)].map(([, specifier]) => specifier);
    // The command needs Node.js.
    if (name.startsWith('command')) continue;
    // It imports only its own files, and no module of a single platform.
    for (const specifier of imports) expect(specifier).toMatch(/^\.{1,2}\/(?:generated\/)?[\w.-]+\.(?:js|ts)$/);
    if (name.endsWith('.js')) expect(text).not.toMatch(/\b(?:process|Buffer|require|__dirname|Deno|Bun)\b\s*[.(]/);
  }
});

test('A bundle that imports only verifyWebhook contains no other code of the client library', async () => {
  const bundle = await build({
    stdin: { contents: `export { verifyWebhook } from 'booking-integration-client'`, resolveDir: project() },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    write: false,
  });
  const text = bundle.outputFiles[0]?.text ?? '';
  expect(text).toContain('webhook-signature');
  expect(text).not.toContain('idempotency-key');
});

/** An integration that reads, books, is refused and receives: no cast, no `any`, no `!`. */
const integration = `
import { ApiError, createClient, verifyWebhook, type ChangedBooking, type ErrorCode } from 'booking-integration-client';

const api = createClient({ baseUrl: 'https://api.example.com/v1/integration', apiKey: 'bk_live_key' });

export async function book(serviceId: number, from: string, name: string, phone?: string): Promise<ChangedBooking | readonly string[]> {
  const { data } = await api.listSlots({ serviceId, from, to: from });
  const [slot] = data;
  if (!slot) return [];
  try {
    return await api.createBooking({ serviceId, startTime: slot.startTime, client: { name, phone } }, { idempotencyKey: name });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'slot_unavailable') return error.details.nextAvailable;
    if (error.code === 'validation_failed') return error.details.map(({ path, message }) => path + ' ' + message);
    const code: ErrorCode | 'connection_failed' | 'timeout' | 'unexpected_response' = error.code;
    throw new Error(code + ' ' + error.requestId + ' ' + error.retryAfter, { cause: error });
  }
}

export async function subscribe(): Promise<number> {
  const events = ['booking.created', 'booking.cancelled'] as const;
  return (await api.createWebhook({ delivery: 'poll', events, targetUrl: undefined })).id;
}

export async function upcoming(signal: AbortSignal): Promise<number[]> {
  const amounts: number[] = [];
  for await (const { status, price } of api.listBookings({ status: 'confirmed' }, { signal })) {
    if (status === 'confirmed') amounts.push(price.amount);
  }
  return amounts;
}

export async function receive(request: Request): Promise<string> {
  const event = await verifyWebhook(['whsec_b2xk', 'whsec_bmV3'], request.headers, await request.text());
  switch (event.event) {
    case 'booking.created':
      return event.data.startTime;
    case 'booking.rescheduled':
      return event.data.previousStartTime;
    case 'payment.received':
      return event.data.currency + event.data.amount;
    case 'ping':
      return event.data.message;
    default:
      return event.test ? 'test' : event.event + event.eventId;
  }
}
`;

const element = `
import 'booking-integration-client/element';

const element = document.querySelector('booking-slots');
element?.addEventListener('booked', ({ detail }) => console.log(detail.id.toFixed(), detail.price.amount));
element?.addEventListener('held', ({ detail }) => console.log(detail.holdId, detail.startTime));
element?.addEventListener('failed', ({ detail }) => console.log(detail.code));
element?.addEventListener('click', ({ clientX }) => console.log(clientX));
`;

/** Lines that a compiler must refuse. */
const mistakes = [
  `api.createBooking({ serviceId: '1', startTime: '' });`,
  `api.createBooking({ serviceId: 1 });`,
  `api.listSlots({ serviceId: 1, from: '', to: '', color: 'red' });`,
  `api.getBooking();`,
  `api.listBookings({ status: 'done' });`,
  `api.createWebhook({ targetUrl: '', events: ['booking.made'] });`,
  `api.getBusiness({ idempotencyKey: 'x' });`,
  `(await api.createBooking({ serviceId: 1, startTime: '', dryRun: true })).id;`,
  `api.createBooking({ serviceId: undefined, startTime: undefined });`,
  `(await api.getBusiness()).nmae;`,
];

test.concurrent.each([
  ["Node's types", { types: ['node'], typeRoots: [join(root, 'node_modules/@types')], lib: ['es2022'] }],
  ["the browser's types", { types: [], lib: ['es2022', 'dom', 'dom.iterable'] }],
])(
  'The client library compiles in strict TypeScript with %s, and the compiler reports wrong uses of the library',
  async (name, options) => {
    const folder = join(project(), name.replaceAll(/\W/g, '-'));
    await mkdir(folder);
    const blocks = await readmeBlocks();
    const files = {
      'integration.ts': integration,
      ...(options.lib.includes('dom') && { 'element.ts': element }),
      ...Object.fromEntries(blocks.map((code, i) => [`readme-${i}.ts`, code])),
      'mistakes.ts': `import { createClient } from 'booking-integration-client';
const api = createClient({ baseUrl: '', apiKey: '' });
${mistakes.map((line) => `// @ts-expect-error\n${line}`).join('\n')}
`,
    };
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
    const compilerOptions = {
      strict: true,
      noUncheckedIndexedAccess: false,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      target: 'es2022',
      module: 'nodenext',
      ...options,
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  },
);

test("The JavaScript examples in the client library's README work with the published example responses", async () => {
  const document = JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8')) as Document;
  let taken = false;
  const origin = await serveDuringTest((request, response) => {
    const path = new URL(request.url ?? '', 'http://x').pathname.replace('/v1/integration', '');
    const responses = document.paths[path]?.[(request.method ?? '').toLowerCase()]?.responses ?? {};
    const [status = '500', published] = Object.entries(responses).findLast(([code]) => code.startsWith('2')) ?? [];
    const refused = taken && request.method === 'POST';
    response.writeHead(refused ? 409 : Number(status), { 'Content-Type': 'application/json' });
    const example = published?.content?.['application/json'].example;
    response.end(JSON.stringify(refused ? document.components.examples.slot_unavailable?.value : example));
  });
  const [lines = ''] = await readmeBlocks();
  await writeFile(
    join(project(), 'readme.js'),
    lines.replace(/https?:\/\/[^']+/, `${origin}/v1/integration`).replace('bk_test_…', 'bk_live_key'),
  );

  const { stdout: booked } = await run(process.execPath, ['readme.js'], { cwd: project() });
  expect(booked).toContain("status: 'confirmed'");
  taken = true;
  const { stdout: refused } = await run(process.execPath, ['readme.js'], { cwd: project() });
  expect(refused).toContain('2026-12-09T10:00:00+02:00');
});

async function readmeBlocks(): Promise<readonly string[]> {
  const readme = await readFile(join(installed(), 'README.md'), 'utf8');
  return [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
}
