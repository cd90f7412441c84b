/** Calls endpoints of the account API as an owner and records each request and response. */
import { expect, vi } from 'vitest';
import { accountPrefix, accountRoutes } from '../../contract/account/api.ts';
import type { Example } from '../../contract/examples.ts';
import type { DeliveryRecord } from '../../contract/integration/resources.ts';
import { createBusiness } from '../../local/seed.ts';
import { type ExampleRequest, idsOf, madeDeliveries, recorderOf, smallBusiness } from './examples-journey.ts';
import { type LocalSystem, startReceiver } from './local.ts';
import { ownerOf } from './owner.ts';
import { dayLikeStable, stabilizer } from './stable.ts';

type Resource = { readonly id: number } & Readonly<Record<string, unknown>>;

/** The examples of all operations of which the integration API has none that fits, by operation. */
export async function accountExamplesOf(system: LocalSystem): Promise<Readonly<Record<string, Example>>> {
  const { run, admin } = system;
  const now = Date.now();
  const day = dayLikeStable(now);
  const tenant = await createBusiness(admin, smallBusiness(now));
  const { business, services, staff } = tenant;
  const { token } = await ownerOf(system, business.id);
  const receiver = await startReceiver();
  const { shown } = stabilizer({
    day,
    known: idsOf(tenant),
    texts: { [receiver.url]: 'https://crm.example.com/hooks/booking', [`owner-of-${business.id}`]: 'f3a9d0c1-owner' },
  });
  /** The ids of the resources by the first segment of their path. */
  const ids: Record<string, number> = { services: services[0]?.id ?? 0, staff: staff[0]?.id ?? 0 };
  const { operations, done, show } = recorderOf({
    url: `${run.baseUrl}${accountPrefix}`,
    routes: accountRoutes,
    credentials: { Authorization: `Bearer ${token}` },
    paramsOf: (path) => (path.includes(':id') ? { id: ids[path.split('/')[1] ?? ''] ?? 0 } : undefined),
    shown,
  });
  const send = (operation: string, request?: ExampleRequest) => done<Resource>(operation, request);

  /** Shows an operation that creates a resource, which the next steps use. */
  async function make(operation: string, of: string, request: ExampleRequest): Promise<Resource> {
    const made = await show<Resource>(operation, request);
    ids[of] = made.id;
    return made;
  }

  const each = async (names: readonly string[], request: ExampleRequest = {}) => {
    for (const name of names) await show(name, request);
  };

  await each(['getMe', 'getBusiness']);
  await show('updateBusiness', { body: { description: 'By the river.', bookingRules: { confirmation: 'manual' } } });
  await show('updateService', { body: { durationMinutes: 30, bufferAfterMinutes: 0 } });
  await show('getStaffSchedule');
  await show('updateStaffMember', { body: { position: 'Senior stylist' } });
  await show('updateStaffSchedule', { body: { exceptions: { [day]: [{ from: '10:00', to: '13:00' }] } } });
  await show('putBusyElsewhere', {
    params: { source: 'google-calendar' },
    body: { blocks: [{ startTime: `${day}T14:00:00+02:00`, endTime: `${day}T15:30:00+02:00` }] },
  });
  await show('listBusyElsewhere');
  await show('listAudit', { query: { limit: 20 } });

  const [service, member] = [ids.services ?? 0, ids.staff ?? 0];
  await make('createService', 'services', {
    body: { name: 'Highlights', durationMinutes: 90, price: { amount: 7_500, currency: 'EUR' }, staffIds: [member] },
  });
  await show('deleteService');
  await make('createStaffMember', 'staff', { body: { name: 'Līga', position: 'Stylist', serviceIds: [service] } });
  await show('deleteStaffMember');

  await make('createResource', 'resources', { body: { name: 'Room 1', kind: 'room' } });
  await show('listResources', { query: { limit: 20 } });
  await show('getResource');
  await show('updateResource', { body: { name: 'Blue room' } });
  await show('deleteResource');

  await make('inviteColleague', 'team', { body: { email: 'ilze@example.com', role: 'desk' } });
  await show('listTeam', { query: { limit: 20 } });
  await show('updateColleague', { body: { role: 'member', staffId: member } });
  await show('removeColleague');

  await make('createApiKey', 'api-keys', { body: { name: 'CRM', scopeSet: 'full_crm' } });
  await show('listApiKeys', { query: { page: 1, limit: 20 } });
  await each(['getApiKey', 'getApiKeyUse']);
  await show('updateApiKey', { body: { name: 'CRM, Riga' } });
  await show('regenerateApiKey', { body: { overlapHours: 24 } });

  await make('createWebhook', 'webhooks', {
    body: { apiKeyId: ids['api-keys'], targetUrl: receiver.url, events: ['booking.confirmed'], description: 'CRM' },
  });
  await show('listWebhooks', { query: { apiKeyId: ids['api-keys'] ?? 0 } });
  await show('getWebhook');

  const person = { name: 'Jānis Bērziņš', phone: '+371 2000 0001', email: 'janis@example.com' };
  await make('createClient', 'clients', { body: person });
  await show('listClients', { query: { search: 'berz', limit: 20 } });
  // The event of the new client is deleted from the outbox a moment later. On a busy machine, the request may run out
  // of time before the search ends.
  const all = { records: [], nextCursor: null };
  await vi.waitFor(async () => expect(await show('exportClient')).toMatchObject(all), { timeout: 60_000 });
  await show('updateClient', { body: { email: 'janis.berzins@example.com' } });

  const slots = await send('listSlots', { query: { serviceId: service, staffId: member, from: day, to: day } });
  const [first, second, third] = (slots.answer.data as { startTime: string }[]).map(({ startTime }) => startTime);
  const booking = { serviceId: service, staffId: member, clientId: ids.clients };
  await make('createBooking', 'bookings', {
    body: { ...booking, startTime: first, comment: 'By the window, please.' },
  });
  await show('confirmBooking');
  await show('createManageLink', { body: { may: ['read', 'cancel'] } });
  await each(['endManageLinks', 'completeBooking']);

  await make('recordPayment', 'payments', {
    headers: { 'Idempotency-Key': '0d9f6c1e-63c8-4d1f-9b7a-1f0e2d3c4b5a' },
    body: { bookingId: ids.bookings, amount: 4_500, method: 'card', receivedAt: `${day}T10:30:00Z` },
  });
  await show('refundPayment', { body: { amount: 500, reason: 'A shorter visit.' } });
  await show('getPayment');
  await show('listPayments', { query: { clientId: ids.clients ?? 0 } });
  await show('getPaymentTotals', { query: { bookingId: ids.bookings ?? 0 } });
  await make('createReview', 'reviews', {
    body: { bookingId: ids.bookings, rating: 5, text: 'Quick and kind.', authorName: 'Jānis' },
  });
  await show('replyToReview', { body: { text: 'Thank you, see you soon.' } });
  ids.bookings = (await send('createBooking', { body: { ...booking, startTime: second } })).answer.id;
  await send('confirmBooking');
  await show('markNoShow');
  await show('getStatistics', { query: { from: day, to: day } });
  // The example of the integration API shows that an integrator cancelled.
  ids.bookings = (await send('createBooking', { body: { ...booking, startTime: third } })).answer.id;
  await show('cancelBooking', { body: { reason: 'The salon is closed that day.' } });

  const made = await madeDeliveries(2, async () => (await send('listDeliveries')).answer.data as DeliveryRecord[]);
  const deliveryId = made.at(-1)?.deliveryId ?? '';
  await show('listAllDeliveries', { query: { groupBy: 'delivery', event: 'booking.confirmed' } });
  await show('getDelivery', { params: { deliveryId } });
  await show('updateWebhook', { body: { events: ['booking.confirmed', 'booking.cancelled'] } });
  await each(['revokeApiKey', 'eraseClient']);

  const headers = { 'Booking-Mode': 'test' };
  await show('triggerEvent', { headers, body: { event: 'booking.completed' } });
  await show('resetSandbox', { headers });

  return operations;
}
