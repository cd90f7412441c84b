/**
 * Where personal data of a client is stored: one step for each kind of item that may contain it. Erasures remove what
 * the steps find, and exports list it. A new kind of item with personal data needs a step (docs/rules.md#erasure);
 * `test/core/erasure/erase.test.ts` searches every table for personal data that no step has found.
 */
import type { Refund } from '../../contract/account/resources.ts';
import type { Payment } from '../../contract/integration/resources.ts';
import type { Store } from '../../contract/system/needs.ts';
import { type BookingItem, successorOf } from '../bookings/booking.ts';
import { cancelIfOpen } from '../bookings/cancel.ts';
import { changeBooking } from '../bookings/change.ts';
import { type ClientItem, contactHashes } from '../bookings/clients.ts';
import { isOpen } from '../bookings/state.ts';
import { forEachConcurrently } from '../chunks.ts';
import { firstIdAt, hourMs, now } from '../clock.ts';
import { compressText, decompressText } from '../compressed-text.ts';
import { firstNumber } from '../deliveries/log/number-range.ts';
import { parseDeliveryId } from '../deliveries/model/delivery-id.ts';
import type { AttemptItem, DeliveryItem } from '../deliveries/model/delivery-record.ts';
import type { OwnerActor } from '../principal.ts';
import { deleteTogether } from '../store/delete-each.ts';
import type { Key } from '../store/key.ts';
import { getItems, getRecords, type Query, queryPrefix } from '../store/read.ts';
import { set, writeOne } from '../store/write.ts';
import { deliveries, outboxShards, records } from '../table-keys.ts';
import { webhooksOfBusiness } from '../webhooks/registry/store.ts';
import { aboutPerson, contactOwners, contactsOf, type Person, withoutContacts } from './about-person.ts';
import { type Fields, withoutPerson } from './person.ts';

export interface Step {
  readonly name: string;
  readonly store: Store;
  /** The parts of the tables to read, in the order of `part`. */
  parts(person: Person): Promise<readonly Part[]>;
  /**
   * Parts of an index with the same items, except bookings of other clients. An index is updated some moments later, so
   * exports may use it and erasures may not.
   */
  readonly indexed?: ((person: Person) => readonly Part[]) | undefined;
  /** The data of a page that is about the client. */
  find(person: Person, items: readonly object[]): Promise<readonly Trace[]>;
}

interface Part {
  readonly part: number;
  readonly query: Query;
}

/** Stored data about a client. */
export interface Trace {
  readonly kind: 'booking' | 'contact' | 'review' | 'refund' | 'answer' | 'event' | 'message';
  readonly data: Fields;
  /** Removes the data; does nothing the second time. */
  erase(): Promise<void>;
}

/** The actor of bookings that an erasure cancels. */
const business: OwnerActor = { kind: 'owner', role: 'owner', subject: '' };
/** More than the clocks of two containers differ. */
const clocksMs = hourMs;
const lastId = Number.MAX_SAFE_INTEGER;

function step<Item extends object>(
  name: string,
  store: Store,
  parts: Step['parts'],
  find: (person: Person, items: readonly Item[]) => Promise<readonly Trace[]>,
  indexed?: Step['indexed'],
): Step {
  return { name, store, parts, indexed, find: (person, items) => find(person, items as readonly Item[]) };
}

const consistentRead = (query: Query) => [{ part: 0, query: { ConsistentRead: true, ...query } }];

/** Items of a client in the index `byClient`, whose partition the key names. */
const ofClient = ({ byClientPk }: { readonly byClientPk: string }, query: Partial<Query> = {}) => [
  {
    part: 0,
    query: {
      ...query,
      IndexName: 'byClient',
      KeyConditionExpression: 'byClientPk = :pk',
      ExpressionAttributeValues: { ...query.ExpressionAttributeValues, ':pk': byClientPk },
    },
  },
];

const bookings = step<BookingItem>(
  'bookings',
  'records',
  async ({ tenantId, clientId, contacts, since }) =>
    consistentRead({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      // Any booking may contain the contacts, even one that is older than the client.
      ...(contacts.length === 0 && { FilterExpression: 'clientId = :clientId' }),
      ExpressionAttributeValues: {
        ':pk': records.tenant(tenantId),
        ':first': records.booking(tenantId, contacts.length === 0 ? firstIdAt(since - clocksMs) : 0).sk,
        ':last': records.booking(tenantId, lastId).sk,
        ...(contacts.length === 0 && { ':clientId': clientId }),
      },
    }),
  async (person, items) => {
    const { tenantId, clientId, cancelBookings } = person;
    const owners = await contactOwners(person, items);
    const traces = items.flatMap((item): Trace[] => {
      if (item.clientId === clientId) {
        const erase = async () => {
          await eraseBooking(tenantId, item, withoutPerson);
          if (cancelBookings && isOpen(item) && item.start > now() / 60_000) {
            await cancelIfOpen({ tenantId, actor: business }, item);
          }
        };
        return [{ kind: 'booking', data: { ...item }, erase }];
      }
      const others = withoutContacts(person, owners, item);
      if (!others) return [];
      const erase = () => eraseBooking(tenantId, item, (before) => withoutContacts(person, owners, before));
      return [{ kind: 'booking', data: { id: item.id, ...contactsOf(item, others) }, erase }];
    });
    const reviewed = await getRecords<{ reviewId: number }>(
      items.flatMap((item) => (item.clientId === clientId ? records.reviewOf(tenantId, item.id) : [])),
    );
    const reviews = reviewed.flatMap((found) => (found ? records.review(tenantId, found.reviewId) : []));
    const found = await getRecords<Key & Fields>(reviews);
    return [...traces, ...found.flatMap((item) => (item ? fieldsTrace('review', item) : []))];
  },
  // Bookings of other clients contain at most the phone and the email of the client.
  ({ tenantId, clientId }) => ofClient(records.bookingByClient(tenantId, clientId, 0, 0)),
);

interface ContactItem extends Required<Key> {
  readonly contact: string;
  readonly clientIds: readonly number[];
}

/**
 * The lists of a contact's bookings through a key, for the former contacts and for contacts that were sent with the
 * client's bookings. A list without the client stays if the contact now belongs to another client in it, for whom the
 * bookings must still count.
 */
const contactBookings = step<ContactItem>(
  'contact-bookings',
  'records',
  async ({ tenantId, clientId, contacts }) =>
    consistentRead({
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      FilterExpression: ['contains(clientIds, :clientId)', ...contacts.map((_, i) => `contact = :contact${i}`)].join(
        ' OR ',
      ),
      ExpressionAttributeValues: {
        ':pk': records.tenant(tenantId),
        ':prefix': records.contactOfKeyPrefix,
        ':clientId': clientId,
        ...Object.fromEntries(contacts.map((contact, i) => [`:contact${i}`, contact])),
      },
    }),
  async ({ tenantId, clientId }, items) => {
    const clients = await getRecords<ClientItem>(
      items.flatMap(({ clientIds }) => clientIds.map((id) => records.client(tenantId, id))),
    );
    const isOfOwner = ({ contact, clientIds }: ContactItem) =>
      !clientIds.includes(clientId) &&
      clients.some((one) => one && clientIds.includes(one.id) && contactHashes(tenantId, one).includes(contact));
    return items.flatMap((item): Trace[] =>
      isOfOwner(item) ? [] : [{ kind: 'contact', data: { ...item }, erase: () => deleteTogether('records', [item]) }],
    );
  },
);

const refunded = { FilterExpression: 'refundedAmount > :none', ExpressionAttributeValues: { ':none': 0 } };

const refunds = step<Payment>(
  'refunds',
  'records',
  async ({ tenantId, clientId, since }) =>
    consistentRead({
      KeyConditionExpression: 'pk = :pk AND sk > :first',
      FilterExpression: 'clientId = :clientId AND refundedAmount > :none',
      ExpressionAttributeValues: {
        ':pk': records.payment(tenantId, 0).pk,
        ':first': records.payment(tenantId, firstIdAt(since - clocksMs)).sk,
        ':clientId': clientId,
        ':none': 0,
      },
    }),
  async ({ tenantId }, items) => {
    const found: (Refund & Key & Fields)[] = [];
    await forEachConcurrently(items, async ({ id }) => {
      const { pk } = records.refund(tenantId, id, 0);
      found.push(...(await queryPrefix<(typeof found)[0]>('records', pk, records.refundsOf(id))));
    });
    return found.map((item) => fieldsTrace('refund', item));
  },
  ({ tenantId, clientId }) => ofClient(records.paymentByClient(tenantId, clientId, 0), refunded),
);

interface Remembered extends Key {
  readonly outcome: string;
}

/** Stored responses for an `Idempotency-Key`: only the personal data in them changes. */
const answers = step<Remembered>(
  'answers',
  'records',
  async ({ tenantId, clientId, contacts }) =>
    consistentRead({
      KeyConditionExpression: 'pk = :pk',
      FilterExpression: 'contains(outcome, :client) OR contains(outcome, :own) OR contains(outcome, :payment)',
      ExpressionAttributeValues: {
        ':pk': records.idempotency(tenantId, 0, '').pk,
        ':client': contacts.length === 0 ? `"clientId":${clientId}` : '"clientId":',
        ':own': `"answer":{"id":${clientId}`,
        ':payment': '"paymentId":',
      },
    }),
  async (person, items) => {
    const read = items.map((item) => ({ item, outcome: JSON.parse(item.outcome) as { answer?: Fields } }));
    const isAbout = await aboutPerson(person, read, ({ outcome }) => outcome.answer ?? {});
    const owners = await contactOwners(
      person,
      read.map(({ outcome }) => outcome.answer ?? {}),
    );
    return read.flatMap(({ item: { pk, sk = '', outcome: before }, outcome: { answer, ...rest } }): Trace[] => {
      if (!answer) return [];
      const own = isAbout(answer);
      const others = own ? undefined : withoutContacts(person, owners, answer);
      if (!own && !others) return [];
      const erase = async () => {
        const erased = own ? withoutPerson(answer) : others;
        if (!erased) return;
        const outcome = JSON.stringify({ ...rest, answer: erased });
        await writeOne(set('records', { pk, sk }, { outcome }, { outcome: before }));
      };
      return [{ kind: 'answer', data: others ? contactsOf(answer, others) : answer, erase }];
    });
  },
);

interface Waiting extends Key {
  readonly data: string;
}

/** Events that are not planned yet, so that messages planned later contain no personal data. */
const outbox = step<Waiting>(
  'outbox',
  'records',
  async ({ tenantId }) =>
    Array.from({ length: outboxShards }, (_, part) => ({
      part,
      query: {
        KeyConditionExpression: 'pk = :shard',
        FilterExpression: 'tenantId = :tenantId',
        ExpressionAttributeValues: { ':shard': records.outboxShard(part), ':tenantId': tenantId },
        ConsistentRead: true,
      },
    })),
  async (person, items) => {
    const read = items.flatMap((item) => {
      const data = parsed(item.data);
      return data ? [{ item, data }] : [];
    });
    const isAbout = await aboutPerson(person, read, ({ data }) => data);
    return read.flatMap(({ item: { pk, sk = '', data: before }, data }): Trace[] => {
      if (!isAbout(data)) return [];
      const erase = async () => {
        const erased = withoutPerson(data);
        if (erased) await writeOne(set('records', { pk, sk }, { data: JSON.stringify(erased) }, { data: before }));
      };
      return [{ kind: 'event', data, erase }];
    });
  },
);

/** Bodies of messages, and the recorded responses of receivers. */
const messages = step<AttemptItem & Partial<Pick<DeliveryItem, 'body'>>>(
  'messages',
  'deliveries',
  async ({ tenantId, clientId, since }) => {
    const webhooks = await webhooksOfBusiness(tenantId);
    return Promise.all(
      webhooks
        .toSorted((a, b) => a.id - b.id)
        .map(async ({ id, lastNumber }) => {
          const first = await firstNumber(id, lastNumber, ({ createdAt }) => Date.parse(createdAt) >= since - clocksMs);
          return {
            part: id,
            query: {
              KeyConditionExpression: 'pk = :log AND sk >= :first',
              // A refund refers to its payment, and a later attempt to its delivery: their client is found out below.
              FilterExpression:
                '#trigger <> :ping AND (about = :clientId OR attribute_not_exists(about)) ' +
                'AND (attribute_exists(body) OR attribute_type(responseBody, :text))',
              ExpressionAttributeNames: { '#trigger': 'trigger' },
              ExpressionAttributeValues: {
                ':log': deliveries.log(id),
                ':first': deliveries.record(id, first).sk,
                ':ping': 'ping',
                ':clientId': clientId,
                ':text': 'S',
              },
              ConsistentRead: true,
            },
          };
        }),
    );
  },
  async (person, items) => {
    // A later attempt has no body: the first record of its delivery shows the client.
    const named = items.flatMap(({ body, deliveryId }) => (body ? [] : (parseDeliveryId(deliveryId) ?? [])));
    const deliveryItems = await getItems<DeliveryItem>(
      'deliveries',
      named.map(({ webhookId, number }) => deliveries.record(webhookId, number)),
    );
    const deliveryOf = new Map(deliveryItems.flatMap((one) => (one ? [[one.deliveryId, one] as const] : [])));
    const read = items.flatMap((item) => {
      const body = item.body ?? deliveryOf.get(item.deliveryId)?.body;
      return body ? [{ item, message: JSON.parse(decompressText(body)) as Message }] : [];
    });
    const isAbout = await aboutPerson(person, read, ({ message }) => message.data);
    return read.flatMap(({ item: { pk, sk, body, responseBody, deliveryId }, message }): Trace[] => {
      if (!isAbout(message.data)) return [];
      const erase = async () => {
        const data = body && withoutPerson(message.data);
        if (!data && responseBody === null) return;
        const fields = {
          responseBody: null,
          ...(data && { body: compressText(JSON.stringify({ ...message, data })) }),
        };
        await writeOne(set('deliveries', { pk, sk }, fields));
      };
      return [{ kind: 'message', data: { deliveryId, ...(body && { message }), responseBody }, erase }];
    });
  },
);

interface Message {
  readonly data: Fields;
}

/**
 * The steps, in the order in which data is copied between items: data that is just being copied is found in the copy.
 */
export const steps: readonly Step[] = [bookings, contactBookings, refunds, answers, outbox, messages];

async function eraseBooking(
  tenantId: number,
  booking: BookingItem,
  erased: (before: BookingItem & Fields) => BookingItem | undefined,
): Promise<void> {
  if (!erased({ ...booking })) return;
  await changeBooking({ tenantId }, booking.id, (before) => {
    const item = erased({ ...before });
    return item ? { item: successorOf(before, item, now()), writes: [] } : 'unchanged';
  });
}

/** An item of the table `records` of which some fields are personal data. */
function fieldsTrace(kind: Trace['kind'], { pk, sk = '', ...fields }: Key & Fields): Trace {
  const erase = async () => {
    const erased = withoutPerson(fields);
    if (!erased) return;
    const changes = Object.entries(erased).filter(([name, value]) => value !== fields[name]);
    await writeOne(set('records', { pk, sk }, Object.fromEntries(changes)));
  };
  return { kind, data: fields, erase };
}

function parsed(data: string): Fields | undefined {
  try {
    return JSON.parse(data) as Fields;
  } catch {
    return undefined;
  }
}
