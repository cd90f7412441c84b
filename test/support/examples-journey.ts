/**
 * Calls all endpoints as an integrator and records each request and response. Endpoints without a step here are called
 * with the example of their row.
 */
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { vi } from 'vitest';
import type { Endpoint } from '../../contract/define.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import type { Example, Examples } from '../../contract/examples.ts';
import { allRoutes, integrationPrefix, type NamedRoute } from '../../contract/integration/api.ts';
import type { Booking, DeliveryRecord, Webhook } from '../../contract/integration/resources.ts';
import { newId } from '../../core/clock.ts';
import { deliveries } from '../../core/table-keys.ts';
import { callJson } from '../../local/call-json.ts';
import { demoTenant, type Tenant } from '../../local/demo.ts';
import { createBusiness, createKey, type SeededKey } from '../../local/seed.ts';
import { type LocalSystem, startReceiver } from './local.ts';
import { ownerOf } from './owner.ts';
import { firstEntries } from './recorded.ts';
import { dayLikeStable, stabilizer, stableDay } from './stable.ts';

export interface ExampleRequest {
  readonly params?: Readonly<Record<string, number | string>>;
  readonly query?: Readonly<Record<string, number | string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface Recorder {
  /** The address of the API, and its endpoints. */
  readonly url: string;
  readonly routes: readonly (Endpoint & { readonly operation: string })[];
  /** The headers that authorize a request. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Parameters of the path that requests need not name. */
  readonly paramsOf?: (path: string) => ExampleRequest['params'];
  readonly shown: ReturnType<typeof stabilizer>['shown'];
}

/** Sends requests to the endpoints of an API, by operation, and records them as examples. */
export function recorderOf({ url, routes, credentials, paramsOf = () => undefined, shown }: Recorder) {
  const operations: Record<string, Example> = {};

  async function send<T>(operation: string, { params, query, headers, body }: ExampleRequest = {}) {
    const route = routes.find((one) => one.operation === operation);
    if (!route) throw new Error(`There is no endpoint ${operation}`);
    const all = { ...paramsOf(route.path), ...params };
    const path = route.path.replace(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(String(all[name])));
    const search = query ? `?${new URLSearchParams(query as Record<string, string>)}` : '';
    const sent = { headers: { ...credentials, ...headers }, body };
    const { status, body: answer } = await callJson<T>(route.method, url + path + search, sent);
    return { route, params: all, status, answer };
  }

  /** Sends a request that must succeed. */
  async function done<T>(operation: string, request?: ExampleRequest) {
    const sent = await send<T>(operation, request);
    if (sent.status === sent.route.status) return sent;
    throw new Error(`${operation} returned ${sent.status}: ${JSON.stringify(sent.answer)}`);
  }

  /** Sends a request that must succeed, and records it and its response as the example of the operation. */
  async function show<T>(operation: string, request: ExampleRequest = {}): Promise<T> {
    const { params, status, answer } = await done<T>(operation, request);
    const entry = { ...request, ...(Object.keys(params).length > 0 && { params }), status };
    operations[operation] = shown({ ...entry, ...(answer !== undefined && { answer: firstEntries(answer) }) });
    return answer;
  }

  return { operations, send, done, show };
}

/** A business that is open only on Wednesdays from ten to twelve: its slots fit into an example. */
export function smallBusiness(now: number): Tenant {
  const tenant = demoTenant(now, newId);
  const morning = [{ from: '10:00', to: '12:00' }];
  const weekly = { monday: [], tuesday: [], wednesday: morning, thursday: [], friday: [], saturday: [], sunday: [] };
  const { business } = tenant;
  return {
    ...tenant,
    business: { ...business, workingHours: weekly, bookingRules: { ...business.bookingRules, slotStepMinutes: 30 } },
    staff: tenant.staff.map((member) => ({ ...member, schedule: { weekly, exceptions: {} } })),
  };
}

/** The ids in the order of the demo business, so that a copied example works with `npm start`. */
export const idsOf = ({ business, services, staff }: Tenant): number[] =>
  [business, ...services, ...staff].map(({ id }) => id);

/** Waits until that many deliveries of a list are recorded as made. Returns them. */
export function madeDeliveries(count: number, list: () => Promise<DeliveryRecord[]>): Promise<DeliveryRecord[]> {
  return vi.waitFor(
    async () => {
      const made = (await list()).filter(({ deliveryStatus }) => deliveryStatus === 'success');
      if (made.length < count) throw new Error(`${made.length} of ${count} deliveries are made`);
      return made;
    },
    { timeout: 60_000, interval: 250 },
  );
}

export async function examplesOf(system: LocalSystem): Promise<Examples> {
  const { run, admin } = system;
  const now = Date.now();
  const day = dayLikeStable(now);
  const tenant = await createBusiness(admin, smallBusiness(now));
  const { business, services, staff } = tenant;
  const key = await createKey(admin, { tenantId: business.id, agents: true });
  const owner = await ownerOf(system, business.id);
  const receiver = await startReceiver();
  const { shown, meant } = stabilizer({
    day,
    known: idsOf(tenant),
    texts: { [receiver.url]: 'https://crm.example.com/hooks/booking' },
  });

  const errors: Record<string, { request: string; answer: unknown }> = {};
  const by = ({ value }: SeededKey) => ({ 'X-API-Key': value });
  const api = { url: `${run.baseUrl}${integrationPrefix}`, routes: allRoutes, credentials: by(key) };
  const { operations, send, show } = recorderOf({ ...api, shown });

  /** Sends the example of the row. An `:id` that it omits is the resource that the journey created. */
  async function showRow({ operation, path, example = {} }: NamedRoute): Promise<void> {
    const id = {
      services: serviceId,
      staff: staffId,
      bookings: booking.id,
      clients: booking.clientId,
      webhooks: webhook.id,
    }[path.split('/')[1] ?? ''];
    const { params, query, body } = meant(example);
    try {
      await show(operation, {
        params: { ...(path.includes(':id') && id !== undefined && { id }), ...params },
        ...(query && { query }),
        ...(body !== undefined && { body }),
      });
    } catch (error) {
      throw new Error(`No example of ${operation}: give its row an \`example\`, or the journey a step for it.`, {
        cause: error,
      });
    }
  }

  /** Sends a request, perhaps several times, and records its refusal as the example of the error code. */
  async function refuse(code: ErrorCode, operation: string, request: ExampleRequest = {}, times = 1): Promise<void> {
    const answers = await Promise.all(Array.from({ length: times }, () => send<{ code?: string }>(operation, request)));
    const refused = answers.find(({ answer }) => answer?.code === code);
    if (!refused) throw new Error(`${operation} returned ${JSON.stringify(answers[0]?.answer)} in place of ${code}`);
    errors[code] = { request: `${refused.route.method} ${refused.route.path}`, answer: shown(refused.answer) };
  }

  const serviceId = services[0]?.id ?? 0;
  const staffId = staff[0]?.id ?? 0;
  const client = { name: 'Jānis Bērziņš', phone: '+371 2000 0001', email: 'janis@example.com' };

  await show('getBusiness');
  await show('listServices', { query: { staffId, limit: 10 } });
  await show('listStaff', { query: { serviceId: services[2]?.id ?? 0 } });

  const webhook = await show<Webhook>('createWebhook', {
    body: { targetUrl: receiver.url, events: ['booking.created'], description: 'CRM' },
  });
  const ofWebhook = { params: { id: webhook.id } };
  const read = await send<Webhook>('createWebhook', {
    body: { delivery: 'poll', events: ['booking.created'], description: 'Reporting' },
  });

  const slots = await show<{ data: { startTime: string }[] }>('listSlots', {
    query: { serviceId, staffId, from: day, to: day },
  });
  const [first, , last] = slots.data.map(({ startTime }) => startTime);
  if (!first || !last) throw new Error('The small business has three slots');
  const slot = { serviceId, staffId, startTime: first };
  const { holdId } = await show<{ holdId: string }>('createHold', { body: { ...slot, minutes: 10 } });
  await refuse('slot_unavailable', 'createHold', { body: slot });
  // A hold expires within minutes: a copied booking with its id would be refused.
  await send('releaseHold', { params: { holdId } });

  const body = { ...slot, client, comment: 'By the window, please.', externalId: 'crm-4711' };
  const idempotent = { headers: { 'Idempotency-Key': '5f2c1b0e-8a4d-4d0b-9a53-0c7e2a9d1f36' } };
  const booking = await show<Booking>('createBooking', { ...idempotent, body });
  const spare = await send<{ holdId: string }>('createHold', { body: { ...slot, startTime: last } });
  await show('releaseHold', { params: { holdId: spare.answer.holdId } });

  await delivered(1);
  const feed = { params: { id: read.answer.id }, query: { after: 0, wait: 10 } };
  await show('readFeed', feed);
  // Deletes the record as after its 30 days.
  const expired = { TableName: admin.table('deliveries'), Key: deliveries.record(read.answer.id, 1) };
  await admin.db.send(new DeleteCommand(expired));
  await refuse('feed_expired', 'readFeed', feed);
  await show('getWebhookStatistics', ofWebhook);
  await show('getBooking', { params: { id: booking.id } });
  await show('listBookings', { query: { from: `${day}T00:00:00+02:00`, staffId, limit: 20 } });
  await show('rescheduleBooking', { params: { id: booking.id }, body: { startTime: last } });
  await show('cancelBooking', { params: { id: booking.id }, body: { reason: 'The client is ill.' } });
  await refuse('invalid_state', 'rescheduleBooking', { params: { id: booking.id }, body: { startTime: first } });
  await refuse('range_too_large', 'listSlots', { query: { serviceId, from: day, to: '2099-12-31' } });

  await send('explainSlot', { query: { serviceId } });
  await show('listRequests', { query: { code: 'validation_failed', limit: 1 } });
  await refuse('validation_failed', 'createBooking', {
    body: { ...slot, startTime: `${stableDay}T10:00:00`, client: { name: '' } },
  });

  const session = await show<{ id: number }>('createSession', { body: { kind: 'booker', serviceIds: [serviceId] } });
  await show('deleteSession', { params: { id: session.id } });

  const visit = await send<Booking>('createBooking', { body: { ...slot, client } });
  await owner.done('POST', `/bookings/${visit.answer.id}/complete`);
  await owner.done('POST', '/reviews', { bookingId: visit.answer.id, rating: 5, text: 'Quick and kind.' });
  await show('listReviews', { query: { staffId, minRating: 4 } });

  await delivered(2);
  const records = await show<{ data: DeliveryRecord[] }>('listDeliveries', {
    ...ofWebhook,
    query: { page: 1, limit: 1 },
  });
  await show('listWebhooks', { query: { page: 1, limit: 20 } });
  await show('getWebhook', ofWebhook);
  await show('updateWebhook', {
    ...ofWebhook,
    body: { events: ['booking.created', 'booking.cancelled'], description: 'CRM, staging' },
  });
  await show('rotateWebhookSecret', ofWebhook);
  await show('pingWebhook', { ...ofWebhook, body: { event: 'booking.created' } });
  await show('getDelivery', { params: { ...ofWebhook.params, deliveryId: records.data[0]?.deliveryId ?? '' } });
  await show('redeliver', { params: { ...ofWebhook.params, deliveryId: records.data[0]?.deliveryId ?? '' } });
  await show('recoverWebhook', { ...ofWebhook, body: { since: new Date(now - 3_600_000).toISOString() } });
  for (const route of allRoutes) {
    if (!(route.operation in operations) && route.operation !== 'deleteWebhook') await showRow(route);
  }
  await show('deleteWebhook', ofWebhook);
  // The response is the same in every run, so it is not stabilized. Each schema is a page long.
  const { status, answer } = await send('listEventTypes', {});
  operations.listEventTypes = { status, answer: firstEntries(answer, 1) };

  const weak = await createKey(admin, { tenantId: business.id, scopes: ['slots:read'] });
  await refuse('insufficient_scope', 'listBookings', { headers: by(weak) });
  const busy = await createKey(admin, { tenantId: business.id });
  // One of these exceeds the limit of a minute even if a new minute begins.
  await refuse('rate_limit_exceeded', 'getBusiness', { headers: by(busy) }, 125);

  return { operations, errors };

  /** These requests are not examples, and use a key of their own. */
  function delivered(count: number): Promise<unknown> {
    return madeDeliveries(count, async () => {
      const own = await createKey(admin, { tenantId: business.id, id: key.id });
      const request = { ...ofWebhook, headers: by(own) };
      return (await send<{ data: DeliveryRecord[] }>('listDeliveries', request)).answer.data;
    });
  }
}
