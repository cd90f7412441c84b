/** Finds addresses of people where none are allowed (docs/rules.md#privacy), and sends requests with such addresses. */
import { isIP } from 'node:net';
import type { Booking } from '../../contract/integration/resources.ts';
import { accountPrefix, integrationPrefix } from '../../contract/prefixes.ts';
import { type LocalSystem, newTenant, startReceiver } from './local.ts';
import { ownerOf } from './owner.ts';

/** The groups of digits in a UUID are not a phone number. */
const uuids = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi;

/** E-mail addresses, phone numbers with a country code, IPv4 and IPv6 addresses. */
export function addressesIn(text: string): string[] {
  const mails = text.match(/[^\s"'<>:,;()]+@[^\s"'<>:,;()]+\.[a-z]{2,}/gi) ?? [];
  // Digits may be separated, `+371 2000-7777`. The offset of a time zone has only four digits.
  const phones = text.replaceAll(uuids, '').match(/(?<![\w.])(?:\+|\b00)[1-9](?:[ ()./-]?\d){6,}/g) ?? [];
  const hosts = text.split(/[^\w.:]+/).map((word) => word.replace(/(?<=\d\.\d+):\d+$|\.$/, ''));
  return [...mails, ...phones, ...hosts.filter((word) => isIP(word) > 0)];
}

/** The address in the `X-Forwarded-For` header. */
const forwardedFor = '203.0.113.77';
const person = { name: 'Seeded Person', email: 'seeded.person@example.com', phone: '+371 2000-7777' };
/** Personal data that no pattern finds. */
export const seededPersonalData = [forwardedFor, ...Object.values(person), '37120007777'];

interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes the visitor get every answer that writes a log line; the owner changes the client, and one receiver fails. */
export async function leaveAddresses(local: LocalSystem): Promise<void> {
  const tenant = await newTenant(local);
  const owner = await ownerOf(local, tenant.business.id);
  const receiver = await startReceiver();
  const gone = await startReceiver({ fail: 1_000 });
  for (const { url } of [receiver, gone]) await tenant.subscribe(url, ['booking.created', 'client.created']);

  const send = async (method: string, path: string, { body, headers = {} }: Sent = {}) => {
    const response = await fetch(`${local.run.baseUrl}${path}`, {
      method,
      headers: {
        'X-Forwarded-For': forwardedFor,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  const keyed = { 'X-API-Key': tenant.key.value };
  const owned = { Authorization: `Bearer ${owner.token}` };
  const booking = { ...tenant.booking(), client: person, comment: `Call ${person.phone}` };
  const search = `?search=${encodeURIComponent(person.email)}`;

  const book = (body: unknown, headers = keyed) => send('POST', `${integrationPrefix}/bookings`, { body, headers });
  const booked = await book(booking);
  const { id, staffId, clientId } = JSON.parse(booked.text) as Booking;
  const answers = [
    booked,
    await book({ ...booking, staffId }),
    await book({ ...booking, serviceId: person.email }),
    await book(`{"phone":"${person.phone}"`),
    await book(booking, { 'X-API-Key': person.email }),
    await send('GET', `${integrationPrefix}/services${search}`, { headers: keyed }),
    await send('GET', `${integrationPrefix}/${person.email}`, { headers: keyed }),
    await send('GET', `${integrationPrefix}/business`, { headers: keyed }),
    await send('GET', `${accountPrefix}/clients${search}`, { headers: owned }),
    await send('PATCH', `${accountPrefix}/clients/${clientId}`, { body: { name: person.name }, headers: owned }),
    await send('POST', `${accountPrefix}/bookings/${id}/complete`, { headers: owned }),
    await send('POST', `${accountPrefix}/clients/${clientId}/erase`, { headers: owned }),
  ];
  const statuses = answers.map(({ status }) => status);
  if (statuses[0] !== 201 || !statuses.slice(1).some((status) => status >= 500)) {
    throw new Error(`The visitor is not served and refused as he expects: ${statuses.join(', ')}`);
  }
  for (const one of [receiver, gone]) await one.waitFor((all) => all.length > 0);
}
