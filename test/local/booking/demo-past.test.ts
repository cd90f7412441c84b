import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePast } from '../../../local/booking/demo-past.ts';
import { seedDemo } from '../../../local/booking/seed-demo.ts';
import { startAdmin } from '../../support/local-admin.ts';

/** A Saturday noon in Riga. */
const now = Date.UTC(2026, 10, 21, 10);

let admin: Awaited<ReturnType<typeof startAdmin>>;
let items: readonly Record<string, unknown>[];
beforeAll(async () => {
  admin = await startAdmin();
  await seedDemo(admin, undefined, now, (tenant) => makePast(tenant, now));
  const scanned = await admin.db.send(new ScanCommand({ TableName: admin.table('records'), ConsistentRead: true }));
  items = scanned.Items ?? [];
});
afterAll(() => admin.stop());

const ofKind = (prefix: string) => items.filter(({ sk }) => String(sk).startsWith(prefix));
const bookings = () => ofKind('BOOKING#') as { status: string; start: number; createdAt: string; source: string }[];

test('the demo has bookings of every status, of the past and of the days ahead, by owners and integrators', () => {
  const byStatus = Object.groupBy(bookings(), ({ status }) => status);
  expect(Object.keys(byStatus).sort()).toEqual(['cancelled', 'completed', 'confirmed', 'no_show', 'pending']);
  expect(byStatus.completed?.length).toBeGreaterThan(30);
  expect(byStatus.confirmed?.length).toBeGreaterThan(10);
  expect(new Set(bookings().map(({ source }) => source))).toEqual(new Set(['account', 'integration']));
});

test('nothing was done in the future, and nobody came before their visit was over', () => {
  for (const booking of bookings()) {
    expect(Date.parse(booking.createdAt)).toBeLessThanOrEqual(now);
    expect(['completed', 'no_show']).not.toContain(booking.start * 60_000 > now ? booking.status : 'none');
  }
});

test('clients, payments and reviews belong to it', () => {
  expect(ofKind('CLIENT#').length).toBeGreaterThan(15);
  const inPartition = (name: string) => items.filter(({ pk }) => String(pk).endsWith(`#${name}`)).length;
  expect(inPartition('PAYMENTS')).toBeGreaterThan(30);
  expect(inPartition('REVIEWS')).toBeGreaterThan(8);
});
