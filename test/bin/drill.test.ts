/** The drill of docs/runbooks/restore.md: tables are restored to a moment, and the system continues from there. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageText } from '../../local/page-commands.ts';
import { beginDrill, type Drill } from '../../local/restore-drill.ts';
import { sharedAssembly } from '../support/assembly.ts';

let drill: Drill;
beforeAll(async () => {
  drill = await beginDrill({ assemblyDir: await sharedAssembly() });
});
afterAll(() => drill.end());

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

test('Negative control: if the restore runbook lacks the command `reconcile`, the restore drill reports a repeated delivery id', async () => {
  const page = pageText('runbooks/restore.md').replace(/^TABLE_RECORDS=.* reconcile .*\n/m, '');
  expect(await drill.putBack({ page })).toEqual([
    'the message about the new booking has a delivery id that the receiver does not know',
  ]);
});
