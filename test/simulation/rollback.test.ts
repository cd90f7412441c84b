/** A deployment is rolled back with messages on the way (docs/rules.md#pipeline: messages are read loosely). */
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { now } from '../../core/clock.ts';
import type { Functions } from '../support/functions.ts';
import { noFaults } from './faults.ts';
import { alikeBusinesses } from './population.ts';
import { everyNowAndThen, newer } from './presets.ts';
import { failingFirst } from './receivers.ts';
import { type Report, Simulation, startAt } from './simulation.ts';

const businesses = 280;
const perBusiness = 4;
const events = businesses * perBusiness;
const second = 1_000;
/** At this time the last events are not yet planned, and no retry of the first is due. */
const rolledBackMs = 58 * second;

async function rolledBack(functions?: (real: Functions) => Partial<Functions>): Promise<Report & { underWay: number }> {
  let underWay = 0;
  const simulation: Simulation = new Simulation({
    events,
    seed: 5,
    spanMs: 60 * second,
    rates: noFaults,
    eventful: false,
    functions,
    sends: (body, sinceMs) => (sinceMs < rolledBackMs ? newer(body) : body),
    populate: (plan) => alikeBusinesses(plan, businesses, () => failingFirst(1), 1),
    arrive: () => {
      everyNowAndThen(events)(simulation);
      simulation.runtime.timeline.in(rolledBackMs, () => {
        underWay = simulation.messages;
      });
    },
  });
  try {
    return { ...(await simulation.run()), underWay };
  } finally {
    simulation.end();
  }
}

test('A deployment can be rolled back while messages of the newer version are in the queues, and no webhook message is lost', async () => {
  const { violations, counts, underWay, deadLettered } = await rolledBack();
  process.stderr.write(`rollback: ${underWay} messages under way\n`);
  expect(violations).toEqual([]);
  expect(underWay).toBeGreaterThanOrEqual(1_000);
  expect(deadLettered).toBe(0);
  const { deliveries, success, requests } = counts;
  expect({ deliveries, success, requests }).toEqual({ deliveries: events, success: events, requests: 2 * events });
});

/** The fields that today's version writes. */
const fields = new Set(
  ['version', 'source', 'detail-type', 'detail', 'events', 'id', 'shard', 'tenantId', 'occurredAt', 'after'].concat([
    'deliveries',
    'keyId',
    'webhookId',
    'number',
    'attempt',
    'dueAt',
  ]),
);

function isKnown(body: string): boolean {
  let unknown = 0;
  JSON.parse(body, (key, value) => {
    if (!/^\d*$/.test(key) && !fields.has(key)) unknown += 1;
    return value;
  });
  return unknown === 0;
}

type Consumer = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

/** An injected bug: an unknown field fails its message. The newer version knows its own fields. */
const strictly =
  (real: Consumer): Consumer =>
  async ({ Records }, context) => {
    const [read = [], refused = []] = [true, false].map((known) =>
      Records.filter(({ body }) => isRead(body) === known),
    );
    const { batchItemFailures } = await real({ Records: read }, context);
    return { batchItemFailures: [...batchItemFailures, ...refused.map((one) => ({ itemIdentifier: one.messageId }))] };
  };

const isRead = (body: string) => now() < startAt + rolledBackMs || isKnown(body);

test('Negative control: if functions refuse messages with unknown fields, a rollback moves newer messages to dead-letter queues', async () => {
  const strict = (real: Functions) => ({ plan: strictly(real.plan), deliver: strictly(real.deliver) });
  const { underWay, deadLettered } = await rolledBack(strict);
  expect(underWay).toBeGreaterThanOrEqual(1_000);
  expect(deadLettered).toBeGreaterThanOrEqual(900);
});
