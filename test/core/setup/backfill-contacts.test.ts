/** Contacts of 1.0.0, which compared a phone with the `00` at its beginning. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createClient, listClients, updateClient } from '../../../core/bookings/client-book.ts';
import { eraseClient } from '../../../core/erasure/erase-client.ts';
import { backfill } from '../../../core/setup/backfill.ts';
import { firstPut } from '../../../core/store/revised.ts';
import { transact } from '../../../core/store/transact.ts';
import { remove, type Write } from '../../../core/store/write.ts';
import { records } from '../../../core/table-keys.ts';
import { type Interference, interfering, unconditional } from '../../support/interfere.ts';
import { overtaken } from '../../support/overtaken.ts';
import { intercept, queueAndBusEnvironment } from '../../support/queue-and-bus.ts';
import { useBench } from '../../support/tenant.ts';

const bench = useBench();
// What another test left unfilled is not counted.
beforeEach(() => backfill());
const nothing = { clients: 0, contacts: 0, payments: 0, bookings: 0, businesses: 0 };
const [digits, elsewhere] = ['37126123456', '37126999999'];
const anna = { name: 'Anna', phone: `00${digits}` };
const [byOld, byNew] = [`CONTACT#phone:00${digits}`, `CONTACT#phone:${digits}`];

/** A client of then: their contact is in the old spelling. */
async function salon() {
  const { tenant } = await bench.tenant();
  const tenantId = tenant.business.id;
  const owner = { tenantId, subject: 'owner' };
  const contact = (value: string) => records.contact(tenantId, 'phone', value);
  const { id } = await createClient(owner, anna);
  await transact([remove('records', contact(digits)), firstPut(contact(`00${digits}`), { clientId: id })]);
  Object.assign(process.env, queueAndBusEnvironment);
  onTestFinished(
    intercept({
      toBus: async () => ({}),
      toQueue: async (_, entries) => ({ Successful: entries.map(({ Id }) => ({ Id })) }),
    }),
  );
  const contactsOf = async (clientId: number) =>
    (await bench.items('records'))
      .filter((item) => item.clientId === clientId && /^CONTACT#/.test(String(item.sk)))
      .map(({ sk }) => sk);
  return {
    ...{ owner, id, contact, contactsOf },
    contacts: () => contactsOf(id),
    place: records.client(tenantId, id),
    erase: () => eraseClient(owner, { id }),
  };
}

async function twice(filled: object) {
  expect(await backfill()).toEqual({ ...nothing, ...filled });
  const before = await bench.items('records');
  expect(await backfill()).toEqual(nothing);
  expect(await bench.items('records')).toEqual(before);
}

test('a contact of before finds its client again, and goes with the client', async () => {
  const { owner, id, contacts, erase } = await salon();
  expect((await listClients(owner, { search: anna.phone })).data).toEqual([]);
  await twice({ contacts: 1 });
  expect(await contacts()).toEqual([byNew]);
  expect((await listClients(owner, { search: anna.phone })).data).toMatchObject([{ id, ...anna }]);
  await erase();
  expect(await contacts()).toEqual([]);
});

test('a contact of before that outlived an erasure goes', async () => {
  const { contacts, erase } = await salon();
  await erase();
  expect(await contacts()).toEqual([byOld]);
  await twice({ contacts: 1 });
  expect(await contacts()).toEqual([]);
});

test('a contact of before that outlived a change of phone goes', async () => {
  const { owner, id, contacts } = await salon();
  await updateClient(owner, { id }, { phone: `+${elsewhere}` });
  expect(await contacts()).toEqual([byOld, `CONTACT#phone:${elsewhere}`]);
  await twice({ contacts: 1 });
  expect(await contacts()).toEqual([`CONTACT#phone:${elsewhere}`]);
});

test('of two clients of before with one number the other keeps it, and the old contact goes', async () => {
  const { owner, contacts, contactsOf } = await salon();
  const other = await createClient(owner, { name: 'Eve', phone: `+${digits}` });
  await twice({ contacts: 1 });
  expect([await contacts(), await contactsOf(other.id)]).toEqual([[], [byNew]]);
});

test('a phone that begins with four zeros keeps its contact', async () => {
  const { owner, contactsOf } = await salon();
  const { id } = await createClient(owner, { name: 'Eve', phone: '0000 1234' });
  await twice({ contacts: 1 });
  expect(await contactsOf(id)).toEqual(['CONTACT#phone:001234']);
});

test('a contact without a client, as a reset of a sandbox may leave it for a moment, is left to that', async () => {
  const { place, contacts } = await salon();
  await transact([remove('records', place)]);
  await twice({});
  expect(await contacts()).toEqual([byOld]);
});

test('a contact that is gone meanwhile is not counted', async () => {
  const { contact, contacts } = await salon();
  const reads = (command: string, { Key }: { readonly Key?: { sk?: string } }) =>
    command === 'GetItemCommand' && Key?.sk === byOld;
  const next = () => transact([remove('records', contact(`00${digits}`))]);
  expect(await overtaken({ before: reads, next }, backfill)).toEqual(nothing);
  expect(await contacts()).toEqual([]);
});

const takesOld = (writes: readonly Write[]) => writes.some(({ Delete }) => Delete?.Key?.sk === byOld);

describe('a client who is erased while their contact is moved', () => {
  async function erasedMeanwhile(instead?: Interference['instead']) {
    const { contacts, erase } = await salon();
    await interfering({ when: takesOld, first: erase, ...(instead && { instead }) }, backfill);
    return contacts();
  }

  test('has none', async () => expect(await erasedMeanwhile()).toEqual([]));
  test('would get one if the move just checked first (planted bug)', async () =>
    expect(await erasedMeanwhile((writes) => writes.map(unconditional))).toEqual([byNew]));
});

describe('a client whose contact is moved while they are erased', () => {
  async function movedMeanwhile(instead: NonNullable<Interference['instead']>) {
    const { place, contacts, erase } = await salon();
    const erases = (command: string, { TransactItems }: { readonly TransactItems?: Write[] }) =>
      command === 'TransactWriteItemsCommand' && TransactItems?.some(({ Put }) => Put?.Item?.sk === place.sk) === true;
    const next = () => interfering({ when: takesOld, first: async () => undefined, instead }, backfill);
    await overtaken({ before: erases, next }, erase);
    return contacts();
  }

  test('has none', async () => expect(await movedMeanwhile((writes) => [...writes])).toEqual([]));
  test('would keep it if the move left their revision alone (planted bug)', async () =>
    expect(await movedMeanwhile((writes) => writes.filter(({ Put }) => !Put?.Item?.createdAt))).toEqual([byNew]));
});

test('an old contact that passes to another client meanwhile stays theirs', async () => {
  const { owner, contact, contacts, contactsOf } = await salon();
  const zeros = { name: 'Eve', phone: `0000${digits}` };
  let other = 0;
  const passes = async () => {
    await transact([remove('records', contact(`00${digits}`))]);
    other = (await createClient(owner, zeros)).id;
  };
  expect(await interfering({ when: takesOld, first: passes }, backfill)).toEqual(nothing);
  expect([await contacts(), await contactsOf(other)]).toEqual([[], [byOld]]);
});
