/** Records of 1.0.0, which wrote neither entries for names nor the places of payments by time. */
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test, vi } from 'vitest';
import { createClient, listClients, updateClient } from '../../core/bookings/client-book.ts';
import { entriesOf } from '../../core/bookings/client-names.ts';
import { recordPayment } from '../../core/payments/record-payment.ts';
import { getPaymentTotals } from '../../core/payments/totals.ts';
import { backfill } from '../../core/setup/backfill.ts';
import { records } from '../../core/table-keys.ts';
import { command } from '../support/command.ts';
import { interfering } from '../support/interfere.ts';
import { onEngine } from '../support/tables.ts';
import { useBench } from '../support/tenant.ts';

vi.setConfig({ testTimeout: 60_000 });
/** The command is a process of its own. */
const bench = useBench(onEngine());

const name = 'Jānis Bērziņš';

/** A client and a payment as they were written then, and a business as it is written now. */
async function oldAndNew() {
  const [old, other] = [await bench.tenant(), await bench.tenant()].map(({ tenant }) => ({
    businessId: tenant.business.id,
    subject: 'owner',
  })) as [{ businessId: number; subject: string }, { businessId: number; subject: string }];
  const clients = [await createClient(old, { name, email: 'janis@example.com' })];
  for (const owner of [old, other]) await recordPayment(owner, { amount: 4_500, method: 'card' });
  await createClient(other, { name, email: 'janis@example.com' });
  const [client] = clients;
  if (!client) throw new Error('There is a client');
  const { db, table } = bench.admin;
  for (const entry of entriesOf(name)) {
    const Key = records.clientName(old.businessId, entry, client.id);
    await db.send(new DeleteCommand({ TableName: table('records'), Key }));
  }
  const [payment] = (await bench.items('records')).filter(({ pk }) => pk === records.payment(old.businessId, 0).pk);
  await db.send(
    new UpdateCommand({
      TableName: table('records'),
      Key: { pk: payment?.pk, sk: payment?.sk },
      UpdateExpression: 'REMOVE byStartPk, byStartSk',
    }),
  );
  const found = async (search: string) => (await listClients(old, { search })).data.map((one) => one.name);
  const counted = async () => (await getPaymentTotals(old, {})).count;
  return { old, client, found, counted };
}

test('clients of before are found and payments of before are counted, and a second run has nothing to do', async () => {
  const { found, counted } = await oldAndNew();
  expect([await found('berz'), await counted()]).toEqual([[], 0]);
  expect(await backfill()).toEqual({ clients: 1, payments: 1, bookings: 0, businesses: 0 });
  expect([await found('berz'), await found('jan'), await counted()]).toEqual([[name], [name], 1]);
  const before = await bench.items('records');
  const { code, stdout } = await command('bin/backfill.ts', []).ended;
  expect({ code, said: JSON.parse(stdout) }).toEqual({
    code: 0,
    said: { clients: 0, payments: 0, bookings: 0, businesses: 0 },
  });
  expect(await bench.items('records')).toEqual(before);
});

test('a client who is renamed meanwhile is found by the new name alone', async () => {
  const { old, client, found } = await oldAndNew();
  const isEntry = (sk: unknown) => String(sk).startsWith('NAME#');
  await interfering(
    {
      when: (writes) => writes.some(({ Put }) => isEntry(Put?.Item?.sk)),
      first: () => updateClient(old, client, { name: 'Anna Ozola' }),
    },
    backfill,
  );
  expect([await found('berz'), await found('ozol')]).toEqual([[], ['Anna Ozola']]);
  const left = (await bench.items('records')).filter(({ pk, sk }) => pk === `T#${old.businessId}` && isEntry(sk));
  expect(left.map(({ sk }) => String(sk)).filter((sk) => sk.includes('berz'))).toEqual([]);
});
