/** Searches clients by the beginning of a name, phone or email (docs/rules.md#clients). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createClient, listClients } from '../../../core/bookings/client-book.ts';
import { entriesOf, normalizedName } from '../../../core/bookings/client-names.ts';
import { newId } from '../../../core/clock.ts';
import { writeCursor } from '../../../core/cursor.ts';
import type { Principal } from '../../../core/principal.ts';
import { pagesOf } from '../../support/pages.ts';
import { ownerPrincipal } from '../../support/principals.ts';
import { scriptDynamo } from '../../support/scripted-dynamo.ts';
import { useTestBusiness } from '../../support/test-business.ts';

useTestBusiness();

interface Person {
  readonly name: string;
  readonly phone?: string;
  readonly email?: string;
}

let people = 0;

async function ownerOf(clients: readonly (string | Person)[]): Promise<Principal> {
  const owner = ownerPrincipal(newId());
  for (const client of clients) {
    const person = typeof client === 'string' ? { name: client, email: `x${++people}@example.com` } : client;
    await createClient(owner, person);
  }
  return owner;
}

/** The names of all found clients, over all pages. */
async function found(owner: Principal, search: string, limit = 20): Promise<string[]> {
  const pages = await pagesOf((cursor) => listClients(owner, { search, limit, cursor }));
  for (const { data } of pages) expect(data.length).toBeLessThanOrEqual(limit);
  return pages.flatMap(({ data }) => data.map(({ name }) => name));
}

test.each([
  ['berz', 'Jānis Bērziņš'],
  ['JĀNIS B', 'Jānis Bērziņš'],
  ['janis berzins', 'Jānis  Bērziņš'],
  ['muller', 'Zoë Müller-Lüdenscheidt'],
  ['ludensch', 'Zoë Müller-Lüdenscheidt'],
  ['strass', 'Anna Straße'],
  ['obri', "Conor O'Brien"],
  ['lodz', 'Ewa Łódzka'],
  ['алексе', 'Алексей Ёлкин'],
  ['елк', 'Алексей Ёлкин'],
  ['ΑΝΑΣ', 'Νίκος Αναστασίου'],
  ['王', '王小明'],
  ['Å', 'Åsa Öberg'],
  ['aesa oeu', 'Æsa Œuvre'],
  ['dora thor hal isik', 'Ðóra Þór Ħal Isık'],
  ['oneil a b', 'O’Neil ʼa `b'],
  ["o'brien darcy oktam", 'O´Brien D‘Arcy Oʻktam'],
  ['no 5 viii', '№ 5 / Ⅷ'],
  ['luise', 'Anna Maria-Luise'],
])('A search for clients with the text %j finds the client %s', async (search, name) => {
  const owner = await ownerOf([name, 'Peter Pan']);
  expect(await found(owner, search)).toEqual([name]);
});

test('A search for clients by the first letters or the whole name finds a name of two very long words', async () => {
  for (const length of [59, 60]) {
    const name = `${'x'.repeat(length)} ${'x'.repeat(60)}`;
    const owner = await ownerOf([name, 'Peter Pan']);
    for (const search of ['xxx', name]) expect(await found(owner, search)).toEqual([name]);
  }
});

test('A search for clients finds no client by the middle of a word, by punctuation, or by the sixth word of a name', async () => {
  const owner = await ownerOf(['Jānis Bērziņš', 'Ana de la Cruz y Vega']);
  for (const search of ['erz', 'nis', '!', '%', '#', 'NAME#', 'vega']) expect(await found(owner, search)).toEqual([]);
});

test('Found clients are sorted by the word of the name that matches, or by the alphabetically first of several', async () => {
  const owner = await ownerOf(['Anna Berg', 'Anning Ann']);
  for (const limit of [1, 20]) expect(await found(owner, 'ann', limit)).toEqual(['Anning Ann', 'Anna Berg']);
});

test('A client is found by the first digits of the phone number, or the beginning of the email address', async () => {
  const anna = { name: 'Anna', phone: '+371 2000-0001', email: 'Anna.K@Example.com' };
  const owner = await ownerOf([
    anna,
    { name: 'Bob', phone: '+37129999999' },
    { name: 'Digits', email: '29123456@example.com' },
  ]);
  for (const search of ['+371 20', '\u202a+371\u00a020', '0037120', '37120000001', 'anna.k@', 'ANNA.K']) {
    expect(await found(owner, search), search).toEqual(['Anna']);
  }
  expect(await found(owner, '371')).toEqual(['Anna', 'Bob']);
  expect(await found(owner, '2912')).toEqual(['Digits']);
  expect(await found(owner, '2000')).toEqual([]);
  expect(await found(owner, 'example.com')).toEqual([]);
});

test.each([
  ['12@', 'the email address 12@example.com', ['Digits']],
  ['a1', 'the email address a1@example.com', ['Letter']],
  [' A1 ', 'the email address a1@example.com', ['Letter']],
  ['112', 'the phone number 112233', ['Phone']],
  ['+-', 'no client', []],
  [' ', 'no client', []],
  ['\t', 'no client', []],
])('A search for clients with the text %j finds %s', async (search, _, names) => {
  const owner = await ownerOf([
    { name: 'Digits', email: '12@example.com' },
    { name: 'Letter', email: 'a1@example.com' },
    { name: 'Phone', phone: '112233' },
  ]);
  expect(await found(owner, search)).toEqual(names);
});

test('A client who matches by name and by email is listed once, before clients who match only by email', async () => {
  const owner = await ownerOf([
    { name: 'Zed', email: 'anna@example.com' },
    { name: 'Anna', email: 'annabel@example.com' },
  ]);
  for (const limit of [1, 2]) expect(await found(owner, 'anna', limit)).toEqual(['Anna', 'Zed']);
});

test('A client search by the beginning of a name finds each matching client exactly once, whatever the page size', async () => {
  const word = fc.stringMatching(/^[aábcžZ'-]{1,4}$/);
  const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ') || 'a');
  const names = fc.sample(name, { numRuns: 60, seed: 11 }).filter((one) => normalizedName(one) !== '');
  const owner = await ownerOf(names);
  for (const search of ['a', 'b', 'ab', 'z', 'ca', 'a b', 'žc']) {
    const expected = names.filter((one) => entriesOf(one).some((entry) => entry.startsWith(normalizedName(search))));
    for (const limit of [1, 3, 50]) {
      const all = await found(owner, search, limit);
      expect(all.toSorted(), `${search} by ${limit}`).toEqual(expected.toSorted());
    }
  }
});

test('A client search finds nothing of another business, and its cursor works only for the same search', async () => {
  const owner = await ownerOf(['Anna One', 'Anna Two']);
  const stranger = await ownerOf(['Bob']);
  expect(await found(stranger, 'anna')).toEqual([]);
  const { nextCursor } = await listClients(owner, { search: 'anna', limit: 1 });
  const cursor = nextCursor ?? '';
  for (const [who, query] of [
    [owner, { search: 'ann' }],
    [owner, {}],
    [owner, { ids: [1] }],
    [owner, { phone: '+37120000000' }],
    [owner, { email: 'anna@example.com' }],
    [stranger, { search: 'anna' }],
  ] as const) {
    const page = listClients(who, { ...query, cursor } as Parameters<typeof listClients>[1]);
    await expect(page, JSON.stringify(query)).rejects.toMatchObject({ code: 'validation_failed' });
  }
});

test('A forged cursor of a client search is refused or starts the search from its beginning', async () => {
  const owner = await ownerOf([{ name: 'Anna', email: 'anna@example.com' }]);
  const scope = { tenantId: owner.tenantId, list: 'clients', search: 'anna' };
  const list = (position: string) => listClients(owner, { search: 'anna', cursor: writeCursor(scope, position) });
  for (const position of ['', ':', 'x', '2:', '3:', '00:', 'x0:', '0:CONTACT#', '1:NAME#anna', '0']) {
    await expect(list(position), position).rejects.toMatchObject({ code: 'validation_failed' });
  }
  expect((await list('0:')).data).toMatchObject([{ name: 'Anna' }]);
  expect((await list('1:')).data).toEqual([]);
});

test('A page of 20 client search results costs one query, one batch read and 21 read units', async () => {
  const owner = await ownerOf(Array.from({ length: 60 }, (_, i) => `Anna ${i}`));
  using script = scriptDynamo([], { units: true });
  const { data } = await listClients(owner, { search: 'anna' });
  expect(data).toHaveLength(20);
  expect(script.operations).toEqual(['Query', 'BatchGetItem']);
  expect(script.units()).toBeLessThanOrEqual(22);
});

test('A client name or search text that is cut to its maximum length is never cut inside a character', async () => {
  const rare = '\u{20000}';
  // One of these lengths cuts through the last character, whichever word an entry begins with.
  for (const length of [57, 58, 59, 60, 61]) {
    const name = `${'a'.repeat(length)}${rare}b`;
    for (const entry of [...entriesOf(name), ...entriesOf(`x ${name}`)]) expect(entry.isWellFormed()).toBe(true);
    const owner = await ownerOf([name]);
    expect(await found(owner, name)).toEqual([name]);
  }
});
