/** `npm start -- --watch --inspect`: for development of the functions (docs/debugging.md). */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { command, type RunningCommand } from '../support/command.ts';
import { attachDebugger } from '../support/inspector.ts';
import { copyProject, editedFile, type ProjectCopy, withBusinessName } from '../support/project-copy.ts';

interface Ready {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly inspectorUrl: string;
  readonly free: { readonly serviceId: number; readonly startTime: string };
}

let project: ProjectCopy;
let running: RunningCommand;
let ready: Ready;
beforeAll(async () => {
  project = await copyProject();
  const flags = ['--port', '0', '--json', '--watch', '--inspect', '--inspect-port', '0'];
  running = command('bin/start.ts', flags, { folder: project.folder });
  const [line] = await running.waitForOutput('stdout', /^.*\n/);
  ready = JSON.parse(line);
});
afterAll(async () => {
  running.process.kill('SIGTERM');
  await running.ended;
  await project.remove();
});

async function call<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(`${ready.baseUrl}/v1/integration${path}`, {
    headers: { 'X-API-Key': ready.apiKey, 'Content-Type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return (await response.json()) as T;
}

/** Rewrites the file, and waits until the run has reported the result. */
async function edit(path: string, change: (text: string) => string, expected: RegExp): Promise<void> {
  const file = join(project.folder, path);
  const before = await readFile(file, 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  // Many editors replace the file.
  await writeFile(`${file}~`, after);
  await rename(`${file}~`, file);
  await running.waitForOutput('stderr', expected);
}

test('With `npm start -- --watch`, an edit in core/ takes effect without a restart, and stored data stays', async () => {
  const client = { name: 'Jane Doe', email: 'jane@example.com' };
  const { id } = await call<{ id: number }>('/bookings', { ...ready.free, client });
  await call('/business');

  await edit(editedFile, (text) => withBusinessName(text, "'Edited'"), /items\.ts: active in \d+ functions/);
  expect(await call('/business')).toMatchObject({ name: 'Edited' });
  expect(await call(`/bookings/${id}`)).toMatchObject({ id, status: 'confirmed' });

  await edit(
    editedFile,
    (text) => withBusinessName(text, ''),
    /items\.ts:\d+:\d+:[\s\S]*The functions stay as they were/,
  );
  expect(await call('/business')).toMatchObject({ name: 'Edited' });
  await edit(
    editedFile,
    (text) => withBusinessName(text, "'Again'"),
    /active in[\s\S]*stay as they were[\s\S]*active in/,
  );
  expect(await call('/business')).toMatchObject({ name: 'Again' });
});

test('With `npm start -- --watch`, a folder that is moved into core/ takes effect at once', async () => {
  await edit(editedFile, (text) => `import './new/some.ts';\n${text}`, /Could not resolve "\.\/new\/some\.ts"/);
  const elsewhere = join(project.folder, 'new');
  await mkdir(elsewhere);
  await writeFile(join(elsewhere, 'some.ts'), 'export const some = 1;\n');
  await rename(elsewhere, join(project.folder, 'core/catalog/new'));
  await running.waitForOutput('stderr', /catalog\/new: active in/);
});

test('With `npm start -- --watch`, an edited handler takes effect at once, and an edit in contract/ needs a restart', async () => {
  await edit('functions/api/get-service.ts', (text) => `${text}console.log('here');\n`, /active in api\/get-service,/);
  const routes = 'contract/integration/routes.ts';
  await edit(routes, (text) => `${text}\n// More.\n`, /routes\.ts: .*read at the next start/);
});

test('A debugger can stop a function of a local run at a breakpoint in its .ts file', async () => {
  const source = 'functions/api/list-staff.ts';
  await edit(
    source,
    (text) => text.replace(/=> (listStaff\(.*\))\);/, '=> {\n  debugger;\n  return $1;\n});'),
    /active in .*api\/list-staff/,
  );
  const attached = await attachDebugger(ready.inspectorUrl);
  onTestFinished(attached.close);
  const answering = call<{ total: number }>('/staff');
  const { evaluate, resume, ...position } = await attached.paused;
  expect(position).toEqual({ source: expect.stringMatching(`${source}$`), line: 6 });
  expect(await evaluate('principal.actor.scopes.length')).toBe(8);
  await resume();
  expect(await answering).toMatchObject({ total: 4 });
});

test('In a local run, the stack trace of an error in a function names the line in the .ts file', async () => {
  await edit(
    'functions/api/list-reviews.ts',
    (text) => `${text}\nthrow new Error('On purpose');\n`,
    /active in api\/list-reviews,/,
  );
  await call('/reviews');
  await running.waitForOutput('stderr', /On purpose[\s\S]*functions\/api\/list-reviews\.ts:\d+/);
});
