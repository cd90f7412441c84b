/** The drill of docs/runbooks/restore.md: tables are restored to a moment, and the system continues from there. */
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageText } from '../../local/page-commands.ts';
import { beginDrill, type Drill } from '../../local/restore-drill.ts';
import { Teardown } from '../../packages/local-cloud/src/teardown.ts';
import { sharedAssembly } from '../support/assembly.ts';
import { command } from '../support/command.ts';
import { temporaryFolder } from '../support/synthesised.ts';

const teardown = new Teardown();
let drill: Drill;
beforeAll(async () => {
  drill = await beginDrill({ teardown, assemblyDir: await sharedAssembly() });
});
afterAll(() => teardown.run());

test('After the restore drill has restored two tables to the same point in time, API keys, bookings and webhooks work', async () => {
  expect(await drill.putBack()).toEqual([]);
});

test('Negative control: if only the table `records` is restored, the restore drill reports missing delivery records', async () => {
  expect(await drill.putBack({ only: ['records'] })).toContain(
    'the webhook has the delivery records of the restored time',
  );
});

test('Negative control: if the restore runbook lacks the command that enables a DynamoDB stream, the restore drill fails', async () => {
  const page = pageText('runbooks/restore.md');
  const without = page.replace(/^aws dynamodb update-table .* --stream-specification .*\n/m, '');
  expect(without).not.toBe(page);
  await expect(drill.putBack({ page: without })).rejects.toThrow('stream');
});

test('Negative control: without the command `reconcile`, the restore drill reports that a delivery id is used twice', async () => {
  const page = pageText('runbooks/restore.md').replace(/^TABLE_RECORDS=.* reconcile .*\n/m, '');
  expect(await drill.putBack({ page })).toEqual([
    'the message about the new booking has a delivery id that the receiver does not know',
  ]);
});

test.skipIf(process.platform === 'win32')('A restore drill that is ended by a signal leaves no data', async () => {
  const folder = temporaryFolder('drill');
  const data = async () => (await readdir(folder)).filter((name) => name.startsWith('restore-drill-'));
  const drill = command('bin/operate/drill.ts', [], { env: { TMPDIR: folder } });
  await drill.waitForOutput('stdout', /a business/);
  expect(await data()).toHaveLength(1);
  drill.process.kill('SIGTERM');
  expect((await drill.ended).code).toBe(1);
  expect(await data()).toEqual([]);
});
