/** The keys of all items. Stored items are found by them for ever, so no key may change. */
import { expect, test } from 'vitest';
import { changes, deliveries, keys, outboxShards, records, secrets, webhookShards } from '../../core/table-keys.ts';

/** Numbers are padded to sixteen digits. */
const [three, five] = ['0000000000000003', '0000000000000005'];
const received = { id: 5, receivedAt: '1970-01-01T00:00:00.003Z' };

const storedKeys = (): readonly (readonly [key: object, pk: string, sk?: string])[] => [
  [keys.apiKey('hash'), 'hash'],
  [keys.owner(7, 'sub'), 'OWNER#7#sub'],
  [records.business(7), 'T#7', 'BUSINESS'],
  [records.reset(7), 'T#7', 'RESET'],
  [records.service(7, 3), 'T#7', `SERVICE#${three}`],
  [records.staff(7, 3), 'T#7', `STAFF#${three}`],
  [records.resource(7, 3), 'T#7', `RESOURCE#${three}`],
  [records.staffRevision(7, 3), 'T#7', `STAFF-REVISION#${three}`],
  [records.key(7, 3), 'T#7', `KEY#${three}`],
  [records.team(7), 'T#7', 'TEAM'],
  [records.session(7, 3), 'T#7', `SESSION#${three}`],
  [records.link(7, 3, 5), 'T#7', `LINK#${three}#${five}`],
  [records.activeKeys(7), 'T#7', 'ACTIVE-KEYS'],
  [records.client(7, 3), 'T#7', `CLIENT#${three}`],
  [records.contact(7, 'email', 'a@b.c'), 'T#7', 'CONTACT#email:a@b.c'],
  [records.contactOfKey(7, 3, 'hash'), 'T#7', `KEY-CONTACT#${three}#hash`],
  [records.clientName(7, 'ada', 3), 'T#7', `NAME#ada#${three}`],
  [records.booking(7, 3), 'T#7', `BOOKING#${three}`],
  [records.bookingByReference(7, 'hash', 3), 'T#7', `REFERENCE#hash#${three}`],
  [records.hold(7, 'h'), 'T#7', 'HOLD#h'],
  [records.holdsOfKey(7, 3), 'T#7', `HOLDS#${three}`],
  [records.review(7, 3), 'T#7#REVIEWS', three],
  [records.audit(7, 3), 'T#7#AUDIT', three],
  [records.requests(7, 3, 'a'), 'T#7#REQUESTS', `${three}#a`],
  [records.reviewOf(7, 3), 'T#7', `REVIEW-OF#${three}`],
  [records.payment(7, 3), 'T#7#PAYMENTS', three],
  [records.refund(7, 3, 5), 'T#7#REFUNDS', `${three}#${five}`],
  [records.rating(7, 'staff', 3), 'T#7', `RATING#staff#${three}`],
  [records.calendarDay(7, 20_000, '3'), 'T#7#DAYS', '20000#3'],
  [records.notice('hash', 'webhook.failing', 3), 'NOTICES#hash', `NOTICE#webhook.failing#${three}`],
  [records.noticeMail('hash', 5), 'NOTICES#hash', `MAIL#${five}`],
  [records.addressOff('hash'), 'NOTICES#hash', 'OFF'],
  [records.expiringKey(9, 3, 5), 'EXPIRING#9', `${three}#${five}`],
  [records.expiryAnnounced, 'EXPIRING', 'ANNOUNCED'],
  [records.idempotency(7, 3, 'k'), 'T#7#IDEMPOTENCY', '3#k'],
  [records.outbox({ id: 3, shard: 9 }), 'OUTBOX#9', three],
  [deliveries.webhook(7, 3, 5), 'T#7', `WEBHOOK#${three}#${five}`],
  [deliveries.quota(7, 3), 'T#7', `QUOTA#${three}`],
  [deliveries.quotaOfBusiness(7), 'T#7', 'QUOTA'],
  [deliveries.registration({ id: 3, shard: 9 }), 'WEBHOOKS#9', three],
  [deliveries.segment(7, 3), 'STATISTICS#7', three],
  [deliveries.feeds(7), 'T#7', 'FEEDS'],
  [deliveries.waitingRoom(3), 'FEEDS#3', 'WAITING'],
  [deliveries.pings(7), 'T#7', 'PINGS'],
  [deliveries.formerReceiver(7, 'https://a.example'), 'T#7', 'FORMER#https://a.example'],
  [deliveries.budget(7), 'T#7', 'BUDGET'],
  [deliveries.recovery(7, 3), 'T#7', `RECOVERY#${three}`],
  [deliveries.record(7, 3), 'W#7', 'R#000000000003'],
  [secrets.signing(7), 'W#7', 'SECRET'],
  ...(['BOOKING', 'CLIENT'] as const).map(
    (kind) =>
      [changes.entry(7, kind, { at: 5, id: 3, revision: 2 }), `T#7#CHANGES#${kind}`, `${five}#${three}#2`] as const,
  ),
];

test('Every stored DynamoDB item is found under the same key as in earlier versions', () => {
  expect(storedKeys().map(([key]) => key)).toStrictEqual(
    storedKeys().map(([, pk, sk]) => (sk === undefined ? { pk } : { pk, sk })),
  );
});

test('The index keys of stored bookings and payments are the same as in earlier versions', () => {
  expect(records.bookingByStart(7, 3, 5)).toEqual({ byStartPk: 'T#7#BOOKINGS', byStartSk: `${three}#${five}` });
  expect(records.bookingByClient(7, 9, 3, 5)).toEqual({
    byClientPk: 'T#7#BOOKINGS#0000000000000009',
    byClientSk: `${three}#${five}`,
  });
  const byStart = { byStartPk: 'T#7#PAYMENTS', byStartSk: `${three}#${five}` };
  expect(records.indexKeysOfPayment(7, { ...received, clientId: null })).toEqual(byStart);
  expect(records.indexKeysOfPayment(7, { ...received, clientId: 9 })).toEqual({
    ...byStart,
    byClientPk: 'T#7#PAYMENTS#0000000000000009',
    byClientSk: five,
  });
});

test('A payment before 1970 or after the year 9999 still has a valid index key', () => {
  const sortKey = (ms: number) => records.paymentByTime(7, ms, 5).byStartSk;
  const latest = Date.parse('9999-12-31T23:59:59.999Z');
  expect([sortKey(-1), sortKey(0)]).toEqual([`${'0'.repeat(16)}#${five}`, `${'0'.repeat(16)}#${five}`]);
  expect([sortKey(latest), sortKey(latest + 1)]).toEqual([`0${latest}#${five}`, `0${latest}#${five}`]);
});

test('A query by key prefix finds only items of one kind', () => {
  const prefixes = [
    ...[records.servicePrefix, records.staffPrefix, records.resourcePrefix, records.staffRevisionPrefix],
    ...[records.keyPrefix, records.contactOfKeyPrefix, records.clientPrefix, records.bookingPrefix],
    ...[records.noticeMailPrefix, records.clientNames('ad'), records.bookingReferences('hash')],
    ...[records.linksOfBooking(3), deliveries.webhookPrefix, deliveries.webhooksOfKey(3)],
  ];
  for (const prefix of prefixes) {
    const found = storedKeys().flatMap(([, , sk]) => (sk?.startsWith(prefix) ? [sk.split('#')[0]] : []));
    expect(found, prefix).toHaveLength(1);
  }
  expect(records.refund(7, 3, 5).sk.startsWith(records.refundsOf(3))).toBe(true);
});

test('The number of partitions over which events and webhooks are spread is not lower than in an earlier release', () => {
  expect([outboxShards, webhookShards].every((shards) => shards >= 256)).toBe(true);
  expect([records.outboxShard(9), deliveries.webhookShard(9)]).toEqual(['OUTBOX#9', 'WEBHOOKS#9']);
  expect(records.outboxShard(9).startsWith(records.outboxPrefix)).toBe(true);
  expect(records.shardOfOutbox(records.outboxShard(37))).toBe(37);
  expect([records.outboxId(3), records.outboxPrefix]).toEqual([three, 'OUTBOX#']);
});
