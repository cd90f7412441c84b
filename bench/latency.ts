/**
 * `npm run bench -- latency`: the time from the response to a booking until its message arrives, on an idle system, one
 * booking after the other. It uses the local run of `npm start`, with bundles, policies, queues and pollers, in real
 * time.
 *
 * Each booking waits until the previous one has arrived. So only the steps of one event are measured: stream, relay,
 * bus, planning, queue, attempt. The baseline, in turns, is the same hops without that work: the difference is the time
 * of planning, records, signatures and the sender.
 */
import { integrationPrefix } from '../contract/integration/api.ts';
import type { WebhookWithSecret } from '../contract/integration/resources.ts';
import { eventSource } from '../contract/system/event-bus.ts';
import { adminOf } from '../local/admin.ts';
import { callJson } from '../local/call-json.ts';
import { createBusiness, createKey } from '../local/seed.ts';
import { startLocal } from '../local/start-local.ts';
import { openReceiver } from '../local/webhook-receiver.ts';
import { bareHops } from './latency/bare-hops.ts';
import type { Row } from './row.ts';
import { median, type Size } from './turns.ts';

interface Slot {
  readonly serviceId: number;
  readonly staffId: number;
  readonly startTime: string;
}

/** This is within a key's 60 requests per minute, with a few to prepare and to warm up. */
const bookingsOf: Readonly<Record<Size, number>> = { full: 50, tiny: 2 };
/** The first ones start every function of the pipeline. */
const warmUp = 3;
const daysAhead = 30;
const arrivesWithinMs = 60_000;

export async function bench(size: Size): Promise<Row[]> {
  const bare = await bareHops(eventSource, 'booking.created');
  const run = await startLocal({ port: 0 });
  const admin = adminOf(run);
  // Only one booking is on its way, so every message that arrives belongs to it.
  let arrive = (_at: number) => {};
  const receiver = await openReceiver({ port: 0, onDelivery: () => arrive(performance.now()) });
  try {
    const { business, services } = await createBusiness(admin);
    const key = await createKey(admin, { tenantId: business.id });
    const call = async <T>(path: string, body?: object): Promise<T> => {
      const headers = { 'X-API-Key': key.value };
      const url = `${run.baseUrl}${integrationPrefix}${path}`;
      const answer = await callJson<T>(body ? 'POST' : 'GET', url, { headers, body });
      if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    await call<WebhookWithSecret>('/webhooks', { targetUrl: `${receiver.url}/hooks`, events: ['booking.created'] });
    const poll = { delivery: 'poll', events: ['booking.created'] };
    const { id: readId } = await call<WebhookWithSecret>('/webhooks', poll);
    const date = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const { data } = await call<{ data: Slot[] }>(
      `/slots?serviceId=${services[0]?.id}&from=${date(1)}&to=${date(daysAhead)}`,
    );
    // These are the first starts of each day and staff member, so that none conflicts with another.
    const free = new Map(data.toReversed().map((slot) => [`${slot.startTime.slice(0, 10)} ${slot.staffId}`, slot]));
    const slots = [...free.values()].slice(0, warmUp + bookingsOf[size]);
    if (slots.length < warmUp + bookingsOf[size]) throw new Error(`Only ${slots.length} slots are free`);

    /** Milliseconds from the response to the action until the message arrives. */
    const waitFor = async (begin: () => Promise<unknown>): Promise<number> => {
      const arrived = new Promise<number>((resolve, reject) => {
        const deadline = setTimeout(() => reject(new Error('A booking did not arrive')), arrivesWithinMs);
        arrive = (at) => {
          clearTimeout(deadline);
          resolve(at);
        };
      });
      await begin();
      const answeredAt = performance.now();
      return (await arrived) - answeredAt;
    };
    const client = { name: 'Jane Doe', email: 'jane@example.com' };
    // A separate value of the key has its own limits.
    const reader = await createKey(admin, { tenantId: business.id, id: key.id });
    let read = 0;
    /** The time at which a waiting reader got the next message of the feed. */
    const nextRead = async (): Promise<number> => {
      const url = `${run.baseUrl}${integrationPrefix}/webhooks/${readId}/feed?after=${read}&wait=10`;
      const { next } = (await (await fetch(url, { headers: { 'X-API-Key': reader.value } })).json()) as {
        next: number;
      };
      if (next === read) throw new Error('A booking was not read');
      read = next;
      return performance.now();
    };
    const waits: number[] = [];
    const feedWaits: number[] = [];
    const bareWaits: number[] = [];
    for (const { serviceId, staffId, startTime } of slots) {
      let answeredAt = 0;
      const reading = nextRead();
      const booking = { serviceId, staffId, startTime, client };
      waits.push(await waitFor(() => call('/bookings', booking).finally(() => (answeredAt = performance.now()))));
      feedWaits.push((await reading) - answeredAt);
      bareWaits.push(await waitFor(() => bare.send(`${receiver.url}/hooks`)));
    }
    return rowsOf(waits.slice(warmUp), bareWaits.slice(warmUp), feedWaits.slice(warmUp));
  } finally {
    await receiver.close();
    admin.db.destroy();
    await run.stop();
    await bare.stop();
  }
}

function rowsOf(waits: readonly number[], bareWaits: readonly number[], feedWaits: readonly number[]): Row[] {
  const sorted = waits.toSorted((a, b) => a - b);
  const middle = median(waits);
  const bareMiddle = median(bareWaits);
  const late = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
  const row = (name: string, value: number): Row => ({ name: `latency, idle: ${name}`, value, unit: 'ms' });
  return [
    {
      ...row('from the response of a booking to its webhook message, median', middle),
      ratio: `${(middle / bareMiddle).toFixed(1)} × without logic`,
      goal: '≤ 500 ms',
      met: middle <= 500,
    },
    {
      ...row('from the response of a booking to its webhook message, 99th percentile', late),
      goal: '≤ 1000 ms',
      met: late <= 1_000,
    },
    {
      ...row('from the response of a booking to a waiting feed request, median', median(feedWaits)),
      ratio: `${(median(feedWaits) / middle).toFixed(2)} × push`,
      goal: '≤ 1.5 × push',
      met: median(feedWaits) <= 1.5 * middle,
    },
    row('from the outbox to the receiver through functions without logic, median', bareMiddle),
  ];
}
