/**
 * Faults of all services: some calls of every function are throttled, failed, unanswered or slow, while integrators
 * book with the published client and receivers wait. Acknowledged changes remain and are delivered.
 */
import { expect, test, vi } from 'vitest';
import { ApiError, createClient } from '../../client/src/index.ts';
import { integrationPrefix } from '../../contract/integration/api.ts';
import type { ReceivedDelivery } from '../../local/webhook-receiver.ts';
import { inDays, newTenant, startReceiver, withLocal } from '../support/local.ts';

const slots = 8;
const rivals = 2;
/** Longer than a slow call takes: only a call without a response times out. */
vi.stubEnv('REQUEST_TIMEOUT_MS', '2500');

const local = withLocal({
  faults: { throttle: 0.12, fail: 0.05, 'half-open': 0.02, slow: 0.03 },
  // Failed messages return after ten seconds, instead of six minutes, the time of six time-outs.
  visibilitySeconds: 10,
});

interface IntegratorResponse {
  readonly call: string;
  readonly status: number;
  readonly retryAfter: string | null;
}

/** The allowed responses to an integrator: success, a conflict, or a time to retry. */
function isPromised({ status, retryAfter }: IntegratorResponse): boolean {
  if (status === 503 || status === 429) return /^[1-9]\d*$/.test(retryAfter ?? '');
  return (status >= 200 && status < 300) || status === 409;
}

test('While AWS calls fail at random, no slot is booked twice, and each webhook receives each booking once', async () => {
  const tenant = await newTenant(local());
  const receiver = await startReceiver();
  const answers: IntegratorResponse[] = [];
  const recording: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const retryAfter = response.headers.get('retry-after');
    answers.push({ call: `${init?.method ?? 'GET'} ${pathname}`, status: response.status, retryAfter });
    return response;
  };
  const integrator = (apiKey: string) =>
    createClient({
      baseUrl: `${local().run.baseUrl}${integrationPrefix}`,
      apiKey,
      fetch: recording,
      maxRetries: 20,
      backoffMs: 50,
    });

  // The client does not repeat the creation of a webhook: a refused one may have succeeded. A second one is separate.
  const api = integrator(tenant.key.value);
  const webhookPath = async (name: string, attempt = 1): Promise<string> => {
    const path = `/hooks/${name}-${attempt}`;
    const webhook = api.createWebhook({ targetUrl: new URL(path, receiver.url).href, events: ['booking.created'] });
    return webhook.then(
      () => path,
      (error) => {
        if (attempt === 10 || !(error instanceof ApiError && error.status === 503)) throw error;
        return webhookPath(name, attempt + 1);
      },
    );
  };
  const paths = await Promise.all([webhookPath('first'), webhookPath('second')]);

  const serviceId = tenant.services[0]?.id ?? 0;
  const free = await api.listSlots({ serviceId, from: inDays(1), to: inDays(25) });
  const oneOfDay = new Map(free.data.map((slot) => [slot.startTime.slice(0, 10), slot]));
  const wanted = [...oneOfDay.values()].slice(0, slots);
  expect(wanted).toHaveLength(slots);

  const rivalApis = await Promise.all(
    Array.from({ length: rivals }, async () => integrator((await tenant.newKey()).value)),
  );
  const client = { name: 'Jane Doe', email: 'jane@example.com' };
  const outcomes = await Promise.all(
    wanted.map(({ staffId, startTime }) =>
      Promise.all(
        rivalApis.map((rival) =>
          rival.createBooking({ serviceId, staffId, startTime, client }).then(
            ({ id }) => id,
            (error: unknown) => (error instanceof ApiError ? error.code : Promise.reject(error)),
          ),
        ),
      ),
    ),
  );
  const acknowledged = outcomes.flat().filter((outcome) => typeof outcome === 'number');
  expect(outcomes.map((ofSlot) => ofSlot.filter((outcome) => typeof outcome === 'number').length)).toEqual(
    wanted.map(() => 1),
  );
  expect(outcomes.flat().filter((outcome) => typeof outcome === 'string')).toEqual(
    Array.from({ length: slots * (rivals - 1) }, () => 'slot_unavailable'),
  );

  const stored: number[] = [];
  for await (const { id } of api.listBookings()) stored.push(id);
  expect(stored.toSorted()).toEqual(acknowledged.toSorted());

  const received = (deliveries: readonly ReceivedDelivery[], path: string) =>
    deliveries
      .filter((delivery) => delivery.path === path)
      .map(({ rawBody, deliveryId }) => ({ deliveryId, bookingId: JSON.parse(rawBody.toString()).data.bookingId }));
  const arrived = await receiver.waitFor(
    (deliveries) =>
      paths.every((path) => new Set(received(deliveries, path).map((one) => one.bookingId)).size === slots),
    300_000,
  );
  for (const path of paths) {
    // An attempt whose record was lost is repeated with the same id, which its receiver knows.
    const deliveries = new Map(received(arrived, path).map((one) => [one.deliveryId, one.bookingId]));
    expect([...deliveries.values()].toSorted()).toEqual(acknowledged.toSorted());
  }

  expect(answers.filter((answer) => !isPromised(answer))).toEqual([]);
  const faults = local().run.log.lines.filter(({ kind }) => kind === 'fault');
  const met = new Set(faults.map(({ text }) => text.split(': ')[1]?.split(',')[0]));
  expect([...met]).toEqual(expect.arrayContaining(['throttle', 'fail', 'slow']));
});
