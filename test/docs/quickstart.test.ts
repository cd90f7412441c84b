/** The programs of the quickstart and of `docs/booking-a-slot.md` as readers paste them, with the sandbox of a demo. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { callJson } from '../../local/call-json.ts';
import { createBusiness } from '../../local/seed.ts';
import { type Demo, seedDemo } from '../../local/seed-demo.ts';
import { commandOf, installed, type Language } from '../support/languages.ts';
import { withLocal } from '../support/local.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const local = withLocal();
let demo: Demo | undefined;
beforeAll(async () => {
  const { admin } = local();
  const [today, tomorrow] = [0, 1].map((ahead) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10));
  demo = await seedDemo(admin, undefined, Date.now(), ({ services, staff, ...tenant }) =>
    createBusiness(admin, {
      ...tenant,
      services: services.map((service, i) => ({ ...service, active: i > 0 })),
      // The programs book the first free time, which on the current day may pass before it is booked.
      staff: staff.map((member) => ({
        ...member,
        schedule: { ...member.schedule, exceptions: { [today ?? '']: [], [tomorrow ?? '']: [] } },
      })),
    }),
  );
});

/** The first block of a language: by default that below "A first booking". */
async function program(language: Language, page = 'quickstart', from = '## 3. '): Promise<string> {
  const text = await readFile(`${project}docs/${page}.md`, 'utf8');
  const [section = ''] = text.slice(text.indexOf(from) + 1).split('\n## ');
  const [, code = ''] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(section) ?? [];
  return code.replace("'booking-integration-client'", "'../../client/src/index.ts'");
}

async function bookings(): Promise<readonly { id: number; startTime: string }[]> {
  const answer = await fetch(`${local().run.baseUrl}/v1/integration/bookings`, {
    headers: { 'X-API-Key': demo?.testKey ?? '' },
  });
  return ((await answer.json()) as { data: { id: number; startTime: string }[] }).data;
}

/** The output of a program, and the only booking that it has created. */
async function booked(language: Language, code: string, ending: string = language) {
  const before = new Set((await bookings()).map(({ id }) => id));
  const printed = await run(language, code, ending);
  const [created, ...others] = (await bookings()).filter(({ id }) => !before.has(id));
  expect(others).toEqual([]);
  return { printed, created };
}

/** Runs a program and returns its output. */
async function run(language: Language, code: string, ending: string = language): Promise<string> {
  const folder = `${project}.build/quickstart-${language}`;
  await mkdir(folder, { recursive: true });
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = `${folder}/program.${ending}`;
  await writeFile(file, code);
  const env = { ...process.env, API: `${local().run.baseUrl}/v1/integration`, KEY: demo?.testKey ?? '' };
  const { stdout } = await promisify(execFile)(commandOf(language), [file], { env, cwd: folder });
  return stdout;
}

test('The quickstart is tested as a shell script with curl, and as programs in TypeScript and Python', () => {
  expect(installed).toEqual(expect.arrayContaining(['sh', 'ts', 'python']));
});

test.each(installed)('The quickstart program in %s books even if the first service is inactive', async (language) => {
  // Older versions of Node.js run no TypeScript, so the program must be JavaScript, too.
  const ending = language === 'ts' ? 'mjs' : language;
  const { printed, created } = await booked(language, await program(language), ending);
  expect(printed).toContain(String(created?.id));
  expect(printed).toContain(created?.startTime);
});

test('The quickstart program prints the error code `api_key_invalid` if the API key is wrong', async () => {
  const code = (await program('python')).replace('os.environ["KEY"]', '"bk_test_wrong"');
  await expect(run('python', code)).rejects.toThrow('api_key_invalid');
});

test('The API returns the error that the guide to test mode names for each change of a valid booking request', async () => {
  interface Answer {
    readonly data: readonly [{ readonly id: number; readonly startTime: string; readonly active: boolean }];
    readonly code?: string;
    readonly details?: { readonly nextAvailable?: readonly string[] };
  }
  const send = (method: string, path: string, body?: object, key?: string) => {
    const headers = { 'X-API-Key': demo?.testKey ?? '', ...(key !== undefined && { 'Idempotency-Key': key }) };
    return callJson<Answer>(method, `${local().run.baseUrl}/v1/integration${path}`, { headers, body });
  };
  const serviceId = (await send('GET', '/services')).body.data.find(({ active }) => active)?.id;
  const [day, lastDay] = [1, 7].map((ahead) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10));
  const { startTime } = (await send('GET', `/slots?serviceId=${serviceId}&from=${day}&to=${lastDay}`)).body.data[0];
  const valid = { serviceId, startTime, client: { name: 'Jane Doe', phone: '+37120000009' } };
  expect((await send('POST', '/bookings', valid, 'earlier')).status).toBe(201);

  const guide = await readFile(`${project}docs/test-mode.md`, 'utf8');
  const rows = [...guide.matchAll(/^\| (\d{3}) `(\w+)`(.*?) \| `(\{.*?\})`(.*) \|$/gm)];
  expect(rows).toHaveLength(guide.match(/^\| \d{3} /gm)?.length ?? 0);
  for (const [row, status, code, details = '', change = '', withKey] of rows) {
    const key = withKey ? 'earlier' : undefined;
    const answer = await send('POST', '/bookings', { ...valid, ...JSON.parse(change) }, key);
    expect({ status: answer.status, code: answer.body.code }, row).toEqual({ status: Number(status), code });
    const next = answer.body.details?.nextAvailable;
    const expected = code === 'slot_unavailable' ? details.includes('empty') : undefined;
    expect(next && next.length === 0, row).toBe(expected);
  }
});

test('The program in the guide to booking a slot books once, even if the slot is no longer held and the program runs twice', async () => {
  const call = `
    const service = (await api.listServices()).data.find(({ active }) => active);
    const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
    const { data: slots } = await api.listSlots({ serviceId: service?.id ?? 0, from: day(1), to: day(6) });
    const { serviceId, staffId, startTime } = slots[0]!;
    const { holdId } = await api.createHold({ serviceId, staffId, startTime }, { idempotencyKey: 'hold choice' });
    await api.releaseHold({ holdId });
    for (const _ of [1, 2]) console.log((await book(slots[0]!, 'jane@example.com', 'choice') as { id: number }).id);`;
  const guide = await program('ts', 'booking-a-slot', '## Book the slot once');
  const { printed, created } = await booked('ts', guide + call);
  expect(printed).toBe(`${created?.id}\n${created?.id}\n`);
});
