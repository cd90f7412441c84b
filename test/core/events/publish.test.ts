/** How events are grouped into requests to the bus. */
import { beforeEach, expect, test } from 'vitest';
import type { WebhookEventData } from '../../../contract/system/operational-events.ts';
import type { EventRef } from '../../../core/events/event.ts';
import { requestsOf } from '../../../core/events/publish.ts';

beforeEach(() => {
  process.env.EVENT_BUS = 'the-bus';
});

const data: WebhookEventData = {
  webhookId: 372418265088007,
  apiKeyId: 372418265088003,
  mode: 'live',
  status: 'active',
  consecutiveFailures: 3,
  failingSince: '2026-11-30T21:04:11.312Z',
  errorCode: 'connect_error',
};
const refs = (count: number, more: Partial<EventRef> = {}): EventRef[] =>
  Array.from({ length: count }, (_, i) => ({
    id: 366634598400285 + i,
    shard: 129,
    tenantId: 372418265088001,
    occurredAt: '2026-12-01T08:30:00.000Z',
    requestId: 'f2a1c0de-0000-4000-8000-000000000000',
    name: 'booking.created',
    ...more,
  }));
/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevent-size.html */
const bytesOf = (request: ReturnType<typeof requestsOf>[number]) =>
  request
    .map(({ entry: { Source = '', DetailType = '', Detail = '' } }) => Buffer.byteLength(Source + DetailType + Detail))
    .reduce((sum, size) => sum + size, 0);

test('If a thousand webhooks fail at once, each request that reports this to EventBridge stays below the limit of 256 KB', () => {
  const all = refs(1_000, { name: 'webhook.failing', data });
  const requests = requestsOf(all);
  for (const request of requests) expect(bytesOf(request)).toBeLessThan(256 * 1_024);
  // Otherwise the test would not reach the limit.
  expect(requests.map(bytesOf).reduce((sum, size) => sum + size, 0)).toBeGreaterThan(256 * 1_024);
  expect(requests.flatMap((request) => request.flatMap(({ events }) => events))).toEqual(all);
});
