/** A client with data in every possible location, and a search of every table for it. */

import { eventNames } from '../../../contract/events.ts';
import { scopeNames } from '../../../contract/scopes.ts';
import { stores } from '../../../contract/system/needs.ts';
import { contactHashes } from '../../../core/bookings/clients.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { newId } from '../../../core/clock.ts';
import { compressText, decompressText } from '../../../core/compressed-text.ts';
import { redeliver } from '../../../core/deliveries/log/redeliver.ts';
import { deliveryId as deliveryIdOf } from '../../../core/deliveries/model/delivery-id.ts';
import type { DeliveryItem } from '../../../core/deliveries/model/delivery-record.ts';
import { plan } from '../../../core/deliveries/plan/plan.ts';
import type { Erasure } from '../../../core/erasure/message.ts';
import type { Event } from '../../../core/events/event.ts';
import { deliveries, records } from '../../../core/table-keys.ts';
import { at, ownerOf } from '../../support/account.ts';
import { newWebhook, put, recordsOf } from '../../support/pipeline-state.ts';
import { keyPrincipal } from '../../support/principals.ts';
import { interceptErasures } from '../../support/queue-and-bus.ts';
import type { TestBusinesses } from '../../support/test-business.ts';

const late = (tenantId: number) => `late-${tenantId}`;

export interface Traced {
  readonly tenantId: number;
  readonly clientId: number;
  readonly owner: ReturnType<typeof ownerOf>;
  /** The client whose data must remain. */
  readonly otherId: number;
  readonly phone: string;
  /** The messages that were sent to the queue `erasures`, with their delays. */
  readonly sent: { readonly body: Erasure; readonly delaySeconds: number }[];
  /** The items with data of the client, with readable bodies; and those of the other client. */
  leaks(): Promise<string[]>;
  othersTraces(): Promise<string[]>;
}

export async function tracedClient(fixture: TestBusinesses, onEnd: (end: () => void) => void): Promise<Traced> {
  const { tenant, key } = await fixture.tenant(({ services, ...rest }) => ({
    ...rest,
    services: services.map((one, i) => (i === 2 ? { ...one, capacity: 4 } : one)),
  }));
  const { tenantId } = key;
  const serviceId = tenant.services[0]?.id ?? 0;
  const owner = ownerOf(tenantId);
  /** Each location has its own text. */
  const canary = (place: string) => `canary-${tenantId}-${place}`;
  const digits = String(tenantId).slice(-11);
  const others = [`other-${tenantId}`, `9${digits}`] as const;
  const sent: Traced['sent'] = [];
  onEnd(
    interceptErasures(({ MessageBody = '', DelaySeconds = 0 }) => {
      sent.push({ body: JSON.parse(MessageBody), delaySeconds: DelaySeconds });
    }),
  );
  const ok = async (...[operation, call]: Parameters<typeof owner>) => {
    const { status, json, text } = await owner(operation, call);
    if (status >= 300) throw new Error(`${operation} answered ${status}: ${text}`);
    return json as { id: number; clientId: number };
  };
  const once = (name: string) => ({ headers: { 'idempotency-key': name } });
  const book = (clock: string, client: object, name: string) =>
    ok('createBooking', {
      ...once(name),
      body: {
        serviceId,
        startTime: `2026-12-02T${clock}:00+02:00`,
        client,
        comment: name.startsWith('other') ? others[0] : canary(`comment-${name}`),
      },
    });

  const webhookOfKey = async (id: number) => {
    await put('records', { ...records.key(tenantId, id), id, tenantId, status: 'active', scopes: scopeNames });
    return newWebhook(tenantId, id, { events: [...eventNames] });
  };
  const webhook = await webhookOfKey(key.id);
  // In the list of the business this webhook comes first, although its id is higher.
  await webhookOfKey(key.id - 1);
  const person = { name: canary('name'), phone: `+${digits}`, email: `${canary('email')}@example.com` };
  const visit = await book('10:00', person, 'visit');
  const called = await book('12:00', person, 'called');
  const other = await book('14:00', { name: others[0], phone: `+${others[1]}` }, 'other');
  const website = keyPrincipal(tenantId, key.id, ['bookings:write']);
  // The client is found by the phone; the email is only in this booking, and in the list of its contact.
  const withOtherEmail = { ...person, email: `${canary('other-email')}@example.com` };
  for (const [clock, client] of [
    ['10', person],
    ['16', withOtherEmail],
  ] as const) {
    await createBooking(website, { serviceId, startTime: `2026-12-03T${clock}:00:00+02:00`, client });
  }
  // Bookings for the other client, found by the phone, with an email of this one.
  const mixed = { name: others[0], phone: `+${others[1]}`, email: person.email };
  await book('18:00', mixed, 'other-mixed');
  for (const [clock, as] of [
    ['12', website],
    ['14', keyPrincipal(tenantId, newId(), ['bookings:write'])],
  ] as const) {
    await createBooking(as, { serviceId, startTime: `2026-12-03T${clock}:00:00+02:00`, client: mixed });
  }
  // A visit of two services, and places in a class that the other client also attends.
  const [cut, colour, lesson] = tenant.services.map((one) => ({ serviceId: one.id }));
  for (const [clock, booked, client] of [
    ['09', { services: [cut, colour] }, person],
    ['13', { ...lesson, places: 2 }, person],
    ['13', lesson, mixed],
  ] as const) {
    const isOther = client === mixed;
    await ok('createBooking', {
      body: {
        ...{ ...booked, client, startTime: `2026-12-04T${clock}:00:00+02:00` },
        metadata: { note: isOther ? others[0] : canary('metadata') },
      },
    });
  }
  const attended = async ({ id: bookingId }: { id: number }, textOf: (place: string) => string) => {
    await ok('completeBooking', at(bookingId));
    const review = await ok('createReview', {
      body: { bookingId, rating: 5, text: textOf('text'), authorName: textOf('author') },
    });
    await ok('replyToReview', { ...at(review.id), body: { text: textOf('reply') } });
    const payment = await ok('recordPayment', { body: { bookingId, amount: 4_500, method: 'card' } });
    return (amount: number) =>
      ok('refundPayment', {
        ...{ ...at(payment.id), ...once(`refund-${bookingId}-${amount}`) },
        body: { amount, reason: textOf('refund') },
      });
  };
  await (await attended(other, () => others[0]))(100);
  const refund = await attended(visit, canary);
  await refund(100);
  await ok('cancelBooking', { ...at(called.id), body: { reason: canary('cancel') } });

  // Everything so far is planned, and half of it sent manually again; later events wait in the outbox.
  const planned = await fixture.events(tenantId);
  await Promise.all(plan([planned.map(eventRefOf)]));
  for (const { deliveryId, pk, sk, ...record } of await recordsOf(webhook.id)) {
    const body = record.body ? decompressText(record.body) : '';
    const isOther = [String(other.clientId), others[0]].some((text) => body.includes(text));
    const failed = { ...record, pk, sk, deliveryId, deliveryStatus: 'failed', state: 'failed', attempts: 1 };
    await put('deliveries', { ...failed, responseBody: isOther ? others[0] : canary('echo') });
    await redeliver(key, { id: webhook.id, deliveryId });
  }
  // A later attempt is a record without a body that names its delivery.
  const [delivery] = await recordsOf(webhook.id);
  const { body: _, state: __, ...later } = delivery as DeliveryItem;
  await put('deliveries', { ...later, ...deliveries.record(webhook.id, 999), id: 999, responseBody: canary('later') });
  // The first record of a delivery expires before those of its later attempts.
  const orphan = { id: 1_000, deliveryId: deliveryIdOf(webhook.id, 998), responseBody: 'OK' };
  await put('deliveries', { ...later, ...deliveries.record(webhook.id, 1_000), ...orphan });
  await ok('updateClient', { ...at(visit.clientId), body: { name: canary('renamed') } });
  await refund(200);
  const third = await book('16:00', person, 'third');
  await ok('cancelBooking', { ...at(third.id), body: { reason: canary('outbox') } });

  const hashes = [person, withOtherEmail].flatMap((one) => contactHashes(tenantId, one));
  const search = async (words: readonly string[]) => {
    const items = (await Promise.all(stores.map((store) => fixture.items(store, { ConsistentRead: true })))).flat();
    const found = items.flatMap((item) => {
      const text = readable(item);
      return words.filter((word) => text.includes(word)).map((word) => `${word} in ${item.pk} ${item.sk}`);
    });
    return found.sort();
  };
  return {
    tenantId,
    clientId: visit.clientId,
    otherId: other.clientId,
    phone: `+${digits}`,
    owner,
    sent,
    leaks: () => search([canary(''), `"+${digits}`, `phone:${digits}`, late(tenantId), ...hashes]),
    othersTraces: () => search([others[0], `"+${others[1]}`, `phone:${others[1]}`]),
  };
}

function eventRefOf({ id, shard, tenantId, name }: Event) {
  return { id, shard, tenantId, name };
}

function readable(item: Readonly<Record<string, unknown>>): string {
  const { body } = item;
  return JSON.stringify(body instanceof Uint8Array ? { ...item, body: decompressText(body) } : item);
}

/** How a title names the data of an erasure step whose name says less. */
export const kindOfData: Readonly<Record<string, string>> = {
  'contact-bookings': 'bookings of others with the same phone or email',
  answers: 'responses stored for repeated requests',
  outbox: 'events that are not sent yet',
  messages: 'webhook messages',
};

/** Writes a delivery like a process that read the event before its client was erased. */
export async function writeLate(fixture: TestBusinesses, { tenantId, clientId }: Traced): Promise<void> {
  const [booking] = await fixture.items('records', {
    FilterExpression: 'begins_with(sk, :bookings) AND clientId = :clientId',
    ExpressionAttributeValues: { ':bookings': 'BOOKING#', ':clientId': clientId },
  });
  const id = newId();
  const client = { name: late(tenantId), phone: null, email: null };
  await put('records', { ...booking, ...records.booking(tenantId, id), id, client });
  const items = await fixture.items('deliveries', {
    FilterExpression: 'tenantId = :tenantId AND attribute_exists(body) AND #event = :created',
    ExpressionAttributeNames: { '#event': 'event' },
    ExpressionAttributeValues: { ':tenantId': tenantId, ':created': 'client.created' },
  });
  const delivery = items.find(({ body }) => decompressText(body as Uint8Array).includes(String(clientId)));
  const message = JSON.parse(decompressText(delivery?.body as Uint8Array));
  message.data.name = late(tenantId);
  await put('deliveries', { ...delivery, body: compressText(JSON.stringify(message)) });
}
