import { beforeAll, describe, expect, test } from 'vitest';
import { type DeliveryItem, isOver } from '../../../core/deliveries/model/delivery-record.ts';
import type { WebhookItem } from '../../../core/webhooks/registry/webhook.ts';
import type { Past } from '../../../local/past/make-past.ts';
import { pastOf } from '../../../local/past/seed-past.ts';

/** In Riga: a noon at which a class has just ended, and a morning after a day whose last class was large. */
const moments = ['2026-11-23T10:00:00Z', '2026-11-24T06:00:00Z'];

const receiverUrl = 'http://127.0.0.1:1025';

describe.each(moments)('in a run that starts at %s', (moment) => {
  const now = Date.parse(moment);
  let past: Past;
  let items: readonly Record<string, unknown>[];
  beforeAll(async () => {
    past = await pastOf(receiverUrl, now);
    items = past.items.records as typeof items;
  });

  const ofKind = (prefix: string) => items.filter(({ sk }) => String(sk).startsWith(prefix));
  interface Stored {
    readonly status: string;
    readonly start: number;
    readonly createdAt: string;
    readonly source: string;
    readonly segments: readonly { readonly serviceName: string; readonly resource?: object }[];
  }
  const bookings = () => ofKind('BOOKING#') as unknown as Stored[];

  test('The demo has bookings of every status, in the past and the future, made by owners and by integrators', () => {
    const byStatus = Object.groupBy(bookings(), ({ status }) => status);
    expect(Object.keys(byStatus).sort()).toEqual(['cancelled', 'completed', 'confirmed', 'no_show', 'pending']);
    expect(byStatus.completed?.length).toBeGreaterThan(30);
    expect(byStatus.confirmed?.length).toBeGreaterThan(10);
    expect(new Set(bookings().map(({ source }) => source))).toEqual(new Set(['account', 'integration']));
  });

  test('The demo has a class that several people share, visits of several services, and bookings that take a room', () => {
    const standing = bookings().filter(({ status }) => status !== 'cancelled');
    const classes = standing.filter(({ segments }) => segments[0]?.serviceName === 'Yoga class');
    const ahead = Object.groupBy(
      classes.filter(({ start }) => start * 60_000 > now),
      ({ start }) => start,
    );
    expect(Math.max(...Object.values(ahead).map((some = []) => some.length))).toBeGreaterThan(3);
    const visits = standing.filter(({ segments }) => segments.length > 1);
    expect(new Set(visits.map(({ segments }) => segments.length))).toEqual(new Set([2, 3]));
    expect([...classes, ...visits].every(({ segments }) => segments.some(({ resource }) => resource))).toBe(true);
  });

  test('Every item of the demo was created in the past, and no future booking is completed or marked as no-show', () => {
    const times = items.map(({ createdAt, receivedAt }) => Date.parse(String(receivedAt ?? createdAt)));
    expect(Math.max(...times.filter(Number.isFinite))).toBeLessThanOrEqual(now);
    for (const booking of bookings()) {
      expect(['completed', 'no_show']).not.toContain(booking.start * 60_000 > now ? booking.status : 'none');
    }
  });

  const inStore = (store: keyof Past['items'], prefix: string) =>
    past.items[store].filter((item) => 'sk' in item && String(item.sk).startsWith(prefix));
  const webhooks = () => inStore('deliveries', 'WEBHOOK#') as WebhookItem[];
  const attemptsOf = ({ id }: WebhookItem) =>
    (inStore('deliveries', 'R#') as DeliveryItem[])
      .filter(({ webhookId }) => webhookId === id)
      .toSorted((a, b) => a.id - b.id);

  test('The demo has three webhooks, of which one works, one is failing and one is disabled', () => {
    const states = webhooks().map(({ status, failingSince }) => [status, Boolean(failingSince)]);
    expect(states).toEqual([
      ['active', false],
      ['active', true],
      ['failed', true],
    ]);
    expect(webhooks().every(({ targetUrl }) => targetUrl.startsWith(receiverUrl))).toBe(true);
  });

  test('Every past event of the demo data was delivered in order, with retries on schedule', () => {
    expect(inStore('records', 'OUTBOX#')).toEqual([]);
    for (const webhook of webhooks()) {
      const attempts = attemptsOf(webhook);
      expect(attempts.length).toBeGreaterThan(20);
      expect(attempts.map(({ id }) => id)).toEqual(attempts.map((_, i) => i + 1));
      const times = attempts.map(({ createdAt }) => createdAt);
      expect(times).toEqual(times.toSorted());
      expect(Date.parse(times.at(-1) ?? '')).toBeLessThanOrEqual(now + 1_000);
    }
    const reasons = webhooks().map((one) => new Set(attemptsOf(one).map(({ errorCode }) => errorCode)));
    expect(reasons.map((codes) => [...codes].sort())).toEqual([
      ['http_status', null],
      ['http_status', null],
      ['http_status', null, 'webhook_disabled'],
    ]);
  });

  test('In the demo data, each unfinished delivery waits for a retry in the future', () => {
    const pending = webhooks()
      .flatMap(attemptsOf)
      .filter(({ state }) => state && !isOver(state));
    const waiting = past.waiting.flatMap(({ body }) => (JSON.parse(body) as { deliveries: unknown[] }).deliveries);
    expect(waiting.length).toBe(pending.length);
    for (const { ms } of past.waiting) expect(ms).toBeGreaterThan(now);
  });
});
