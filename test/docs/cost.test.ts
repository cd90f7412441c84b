/** Compares the model of `docs/cost.md` with the calls and units that are counted here. */
import type { SQSEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { limits, requestLogLimits } from '../../contract/limits.ts';
import { scopeSets } from '../../contract/scopes.ts';
import { queues } from '../../contract/system/queues.ts';
import { schedules } from '../../contract/system/schedules.ts';
import { streams } from '../../contract/system/streams.ts';
import { listSlots } from '../../core/availability/list-slots.ts';
import { createClient } from '../../core/bookings/client-book.ts';
import { runWithRequestId } from '../../core/cause.ts';
import { dynamo } from '../../core/clients.ts';
import { newId, setRuntime, timestamp } from '../../core/clock.ts';
import { outboxShards, webhookShards } from '../../core/table-keys.ts';
import { handler as createBooking } from '../../functions/api/create-booking.ts';
import { handler as listServices } from '../../functions/api/list-services.ts';
import { handler as readFeed } from '../../functions/api/read-feed.ts';
import { prices as pricesOfUse } from '../../lib/prices.ts';
import type { Admin } from '../../local/admin.ts';
import { demoTenant } from '../../local/demo.ts';
import { createBusiness } from '../../local/seed.ts';
import { ownerOf } from '../support/account.ts';
import { alwaysThere } from '../support/always-open.ts';
import { issueKey } from '../support/api-keys.ts';
import { costOf, costTable, pricesIn, type Usage } from '../support/cost-model.ts';
import { tableName } from '../support/dynamo.ts';
import type { Functions } from '../support/functions.ts';
import { call, type Received } from '../support/http.ts';
import { monthlyPrice } from '../support/monthly-price.ts';
import { isLogWrite, pendingLogWrites } from '../support/pending-log-writes.ts';
import { newTenant, newWebhook } from '../support/pipeline-state.ts';
import { ownerPrincipal } from '../support/principals.ts';
import { committed, expectRecordedPart, within } from '../support/recorded.ts';
import { isRead, type RecordedCall, type Script, scriptDynamo } from '../support/scripted-dynamo.ts';
import { synthesised } from '../support/synthesised.ts';
import { usePipeline } from '../support/use-pipeline.ts';

const begin = usePipeline();

/** Assumed durations of a batch, and of each delivery in it, in an account. The document lists them as not measured. */
const assumedMs = { api: 20, relay: 40, plan: 80, deliver: 300, delivery: 7 };
const apiMemoryMb = 512;
/** An id in the format of the gateway, because records contain one. */
const requestId = 'JKJaXmPLvHcESHA=';
const gigabyteSeconds = (ms: number, memoryMb: number) => (ms / 1_000) * (memoryMb / 1_024);

const prices = pricesIn(committed('docs/cost.md'));

function unitsOf(script: Script) {
  return { readUnits: script.units('read'), writeUnits: script.units('write') };
}

async function requests(): Promise<Usage[]> {
  begin();
  const admin = { db: dynamo(), table: tableName } as Admin;
  const { business } = await createBusiness(admin, demoTenant(Date.UTC(2026, 10, 2), newId));
  const key = await issueKey(dynamo(), { tenantId: business.id });
  const path = '/v1/integration/services';
  const owner = ownerOf(business.id);
  return [
    await used(
      'a request with a key: `GET /services`',
      () => call(listServices, { path, headers: { 'x-api-key': key.value } }),
      { of: requestLogLimits.entriesPerWrite },
    ),
    await used('`GET /services` by an owner', () => owner('listServices')),
  ];
}

/** Bookings of known clients without overlaps, with a key that may see personal data and one that may not. */
async function bookings(): Promise<{ usages: Usage[]; calls: readonly (readonly RecordedCall[])[] }> {
  const { now } = begin();
  const tenant = demoTenant(now, newId);
  const { business, services } = await createBusiness({ db: dynamo(), table: tableName } as Admin, tenant);
  const owner = ownerPrincipal(business.id);
  const serviceId = services[0]?.id ?? 0;
  const day = (days: number) => timestamp(now + days * 86_400_000).slice(0, 10);
  const { data } = await listSlots(owner, { serviceId, from: day(2), to: day(16) });
  const starts = data.filter(({ startTime }) => /T(09|11|13|15):00/.test(startTime));
  const calls: RecordedCall[][] = [];
  const usages: Usage[] = [];
  const readsBookings = ['bookings:read', 'bookings:write'] as const;
  for (const [name, scopes, isKnown, isRepeatable = false] of [
    ['a booking by a key with `bookings:read`', readsBookings, true],
    ['a booking by a key without `bookings:read`', scopeSets.booking_widget, true],
    ['a booking by a key without `bookings:read`, for a new client', scopeSets.booking_widget, false],
    ['a booking by a key with `bookings:read` and an `Idempotency-Key`', readsBookings, true, true],
  ] as const) {
    const key = await issueKey(dynamo(), { tenantId: business.id, scopes });
    const request = async () => {
      const slot = starts.shift();
      if (!slot) throw new Error('The demo has too few slots');
      const { startTime, staffId } = slot;
      const client = { name: 'Jane', email: `client-${newId()}@example.com` };
      if (isKnown) await createClient(owner, client);
      const once = { ...(isRepeatable && { 'idempotency-key': String(newId()) }) };
      return { headers: { 'x-api-key': key.value, ...once }, body: { serviceId, startTime, staffId, client } };
    };
    const sent = await Promise.all(Array.from({ length: counted + begun }, request));
    const row = { path: '/v1/integration/bookings', method: 'POST' };
    const book = () => call(createBooking, { ...row, ...sent.shift() });
    usages.push(await used(name, book, { status: 201, calls }));
  }
  return { usages, calls };
}

/** A booking of each other kind with a key with `bookings:read`, for a known client. */
async function shapes(): Promise<Usage[]> {
  const { now } = begin();
  const demo = alwaysThere(demoTenant(now, newId), {
    ...{ durationMinutes: 30, bufferBeforeMinutes: 0, bufferAfterMinutes: 0 },
  });
  const staffIds = demo.staff.map(({ id }) => id);
  const shaped = [{}, { capacity: 100 }, { resourceKind: 'room' }];
  const services = demo.services.map((one, i) => ({ ...one, ...shaped[i], staffIds }));
  const serviceIds = services.map(({ id }) => id);
  const resources = [1, 2, 3].map((n) => ({ id: newId(), name: `Room ${n}`, kind: 'room', active: true, bookings: 0 }));
  const tenant = { ...demo, services, resources, staff: demo.staff.map((one) => ({ ...one, serviceIds })) };
  const { business } = await createBusiness({ db: dynamo(), table: tableName } as Admin, tenant);
  const { id: clientId } = await createClient(ownerPrincipal(business.id), { name: 'Jane', email: 'jane@example.com' });
  const [plain = 0, shared = 0, roomed = 0] = serviceIds;
  const [first] = staffIds;
  const visit = staffIds.map((staffId) => ({ serviceId: plain, staffId }));
  const usages: Usage[] = [];
  for (const [name, hours, body] of [
    ['a visit of three services by three staff members', 2, { services: visit }],
    ['a place in a class that already has bookings', 0, { serviceId: shared, staffId: first }],
    ['a booking that takes a room', 2, { serviceId: roomed, staffId: first }],
  ] as const) {
    const key = await issueKey(dynamo(), { tenantId: business.id, scopes: ['bookings:read', 'bookings:write'] });
    // The times differ from those of the other kinds.
    let at = Math.ceil(now / 86_400_000 + 2 + 10 * usages.length) * 86_400_000;
    const book = () => {
      const startTime = timestamp(at);
      at += hours * 3_600_000;
      const sent = { headers: { 'x-api-key': key.value }, body: { ...body, startTime, clientId } };
      return call(createBooking, { path: '/v1/integration/bookings', method: 'POST', ...sent });
    };
    usages.push(await used(name, book, { status: 201 }));
  }
  return usages;
}

/** The number of requests of each kind, after some that write the pending entries of the request log. */
const counted = 20;
const begun = 2;

async function used(
  name: string,
  request: () => Promise<Received>,
  { status = 200, calls = [] as RecordedCall[][], of = counted } = {},
): Promise<Usage> {
  for (let i = 0; i < begun; i++) expect((await request()).status).toBe(status);
  const underWay = pendingLogWrites();
  using script = scriptDynamo([underWay.row], { units: true });
  for (let i = 0; i < of; i++) expect((await request()).status).toBe(status);
  await underWay.settled();
  calls.push(script.calls.filter((one) => !isLogWrite(one)));
  return {
    name,
    of,
    ...unitsOf(script),
    httpRequests: of,
    invocations: of,
    gigabyteSeconds: gigabyteSeconds(of * assumedMs.api, apiMemoryMb),
  };
}

/** Messages of one request to SQS, whatever the batch size of the function. */
const messagesPerReceive = 10;

interface Profile {
  readonly name: string;
  readonly businesses: number;
  readonly webhooks: number;
  readonly eventsPerBusiness: number;
}

/** Notes in webhooks are deleted once in nine events: this many precede the counted ones, and this many are counted. */
const cycle = 9;

async function deliveries({ name, businesses, webhooks, eventsPerBusiness }: Profile): Promise<Usage> {
  const calls = { relay: 0, plan: 0, deliver: 0, entries: 0, receives: 0 };
  const consumed = ({ Records }: SQSEvent) => {
    calls.receives += Math.ceil(Records.length / messagesPerReceive);
  };
  const counted = (real: Functions): Partial<Functions> => ({
    relay: (event) => {
      calls.relay += 1;
      return real.relay(event);
    },
    plan: (...args) => {
      calls.plan += 1;
      calls.entries += args[0].Records.length;
      consumed(args[0]);
      return real.plan(...args);
    },
    deliver: (...args) => {
      calls.deliver += 1;
      consumed(args[0]);
      return real.deliver(...args);
    },
  });
  const randomBytes = (size: number) => Buffer.alloc(size, 0x40);
  const pipeline = begin({ functions: counted, sweeper: false, randomBytes });
  const tenants = await Promise.all(Array.from({ length: businesses }, () => newTenant(webhooks)));
  using script = scriptDynamo([], { units: true });
  const rounds = Math.ceil(cycle / eventsPerBusiness);
  const used = { readUnits: 0, writeUnits: 0 };
  for (let round = 0; round < 2 * rounds; round++) {
    for (const { tenantId } of tenants) {
      for (let i = 0; i < eventsPerBusiness; i++) await runWithRequestId(requestId, () => pipeline.raise(tenantId));
    }
    script.calls.length = 0;
    if (round === rounds) {
      pipeline.posts.length = 0;
      pipeline.sendCalls = 0;
      Object.assign(calls, { relay: 0, plan: 0, deliver: 0, entries: 0, receives: 0 });
    }
    await pipeline.run(pipeline.now);
    if (round < rounds) continue;
    used.readUnits += script.units('read');
    used.writeUnits += script.units('write');
  }
  const events = businesses * eventsPerBusiness * rounds;
  expect(pipeline.posts).toHaveLength(events * webhooks);
  const { relay, plan, deliver, entries, receives } = calls;
  // Without a webhook, the usage is per event.
  const of = events * Math.max(1, webhooks);
  return {
    name,
    of,
    ...used,
    busEvents: entries,
    // The rule sends each entry of the bus; Lambda's pollers receive messages, and delete them when they are done.
    queueRequests: entries + 2 * receives,
    fairRequests: pipeline.sendCalls,
    invocations: relay + plan + deliver,
    gigabyteSeconds:
      gigabyteSeconds(relay * assumedMs.relay, streams.relayEvents.memoryMb) +
      gigabyteSeconds(plan * assumedMs.plan, queues.events.memoryMb) +
      gigabyteSeconds(deliver * assumedMs.deliver + events * webhooks * assumedMs.delivery, queues.deliveries.memoryMb),
  };
}

/** Batches, and so the number of reads, depend on the machine's load: a difference of a tenth is allowed. */
const isAlike = within(0.1, 0.02);

/** The request log's usage for requests of one key in one container at this interval. The first begins a minute. */
async function requestLog(name: string, { apartMs = 0, fails = false, requests = 120 }): Promise<Usage> {
  const pipeline = begin();
  const key = await issueKey(dynamo(), { tenantId: newId() });
  let passed = 3_600_000;
  setRuntime({ now: () => pipeline.now + passed });
  const underWay = pendingLogWrites();
  using script = scriptDynamo([underWay.row], { units: true });
  for (let i = -begun; i < requests; i++) {
    if (i === 0) script.calls.length = 0;
    // There are at most sixty requests in a minute.
    passed += apartMs || (i % 50 === 49 ? 60_000 : 0);
    const { status } = await call(listServices, {
      headers: { 'x-api-key': key.value },
      ...(fails && { query: 'unknown=1' }),
    });
    expect(status).toBe(fails ? 400 : 200);
    await underWay.settled();
  }
  script.calls.splice(0, script.calls.length, ...script.calls.filter(isLogWrite));
  return { name, of: requests, ...unitsOf(script), invocations: 0, gigabyteSeconds: 0 };
}

test('The request log adds less than 3 % to the cost of successful requests and of frequent failures, but more to rare failures', async () => {
  const profiles = [
    await requestLog('requests that succeed', {}),
    await requestLog('requests that all fail, one each second', { apartMs: 1_000, fails: true }),
    await requestLog('a single failure, at most one a minute', { apartMs: 60_000, fails: true }),
  ];
  const request = 2.08;
  const shares = profiles.map((usage) => costOf(usage, prices).total / request);
  const rows = profiles.map(({ name, of, writeUnits = 0 }, i) => {
    const share = shares[i] ?? 0;
    return `| ${name} | ${(writeUnits / of).toFixed(3)} | $${(share * request).toFixed(3)} | ${(100 * share).toFixed(1)} % |`;
  });
  const table = [
    '| The log of | Write units | A million | Share of the price of a request |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
  expectRecordedPart('docs/cost.md', 'request-log', table);
  const [succeed = 1, fail = 1, alone = 0] = shares;
  expect(Math.max(succeed, fail)).toBeLessThan(0.03);
  // Negative control: a write for each request exceeds the limit ten times.
  expect(alone).toBeGreaterThan(0.29);
});

test('The tables of docs/cost.md show the AWS calls and DynamoDB units that the code actually uses', async () => {
  const requested = await requests();
  const booked = await bookings();
  const shaped = await shapes();
  const profiles = [
    { name: 'ten events at once, each for ten webhooks', businesses: 1, webhooks: 10, eventsPerBusiness: 10 },
    { name: 'a hundred events at once, for one webhook', businesses: 1, webhooks: 1, eventsPerBusiness: 100 },
    {
      name: 'a hundred events at once, of a hundred businesses with one webhook each',
      businesses: 100,
      webhooks: 1,
      eventsPerBusiness: 1,
    },
    { name: 'ten events at once, for one webhook', businesses: 1, webhooks: 1, eventsPerBusiness: 10 },
    { name: 'one event alone, for one webhook', businesses: 1, webhooks: 1, eventsPerBusiness: 1 },
    { name: 'one event alone, without a webhook', businesses: 1, webhooks: 0, eventsPerBusiness: 1 },
  ];
  const delivered: Usage[] = [];
  for (const profile of profiles) delivered.push(await deliveries(profile));
  setRuntime();

  const totals = (usages: readonly Usage[]) => usages.map((usage) => costOf(usage, prices).total);
  const [manyWebhooks = 0, manyEvents = 0, scattered = 0, , alone = 0] = totals(delivered);
  const [, website = 0, newClient = 0] = totals(booked.usages);
  const [requestTotal = 0, ownerTotal = 0] = totals(requested);
  const dollars = (amount: number) => `$${amount.toFixed(2)}`;
  const ofMonth = (30_000 / 1_000_000) * (5 * requestTotal + website + 2 * alone);
  const summary =
    `A million requests that only read data cost ${dollars(requestTotal)}. A million bookings cost ` +
    `${dollars(website)}, or ${dollars(newClient)} if each is for a new client. If events are seconds apart, each ` +
    `event is sent alone, and a million first attempts cost ${dollars(alone)}. At some thousands of deliveries a ` +
    `second, deliveries are sent in full batches, and a million first attempts cost ` +
    `${dollars(manyWebhooks)} to ${dollars(scattered)}. For example, 30 000 bookings a month, each after five ` +
    `requests that read data and with two events for one webhook, cost ${dollars(ofMonth)} in addition to the ` +
    `[monthly price of a stage](#monthly-price-of-a-stage).`;
  for (const [name, text] of [
    ['summary', summary],
    ['requests', costTable([...requested, ...booked.usages, ...shaped], prices)],
    ['deliveries', costTable(delivered, prices)],
  ] as const) {
    expectRecordedPart('docs/cost.md', name, text, isAlike);
  }

  // These are the goals, and the values that are far from theirs.
  expect(requestTotal).toBeLessThanOrEqual(2.1);
  expect(ownerTotal).toBeLessThan(requestTotal);
  expect(manyWebhooks).toBeLessThanOrEqual(1.8);
  expect(manyEvents).toBeLessThanOrEqual(2.55);
  expect(scattered).toBeLessThan(4.2);

  // These are the costs of the order of changes and of the limit per contact.
  const [plain = [], ofWebsite = []] = booked.calls;
  const entries = plain.flatMap(({ input }) =>
    (input.TransactItems ?? []).filter(({ Put }) => String(Put?.Item?.pk).includes('#CHANGES#')),
  );
  expect(entries).toHaveLength(counted);
  for (const { Put } of entries) expect(JSON.stringify(Put?.Item).length).toBeLessThan(1_024);
  expect(ofWebsite.length - plain.length).toBe(counted);
  const written = (all: readonly RecordedCall[]) =>
    all.reduce((sum, { operation, units }) => sum + (isRead(operation) ? 0 : units), 0);
  expect((written(ofWebsite) - written(plain)) / counted).toBeCloseTo(2);
});

/** The usage of one request that waits without getting a message, and of the requests of one reader in an hour. */
async function hourAtAFeed(): Promise<Usage & { readonly looks: number }> {
  const pipeline = begin();
  const tenantId = newId();
  const key = await issueKey(dynamo(), { tenantId });
  const { id } = await newWebhook(tenantId, key.id, { delivery: 'poll', targetUrl: '' });
  let waited = 0;
  setRuntime({
    now: () => pipeline.now + waited,
    sleep: async (ms) => {
      waited += ms;
    },
  });
  using script = scriptDynamo([], { units: true });
  const { status } = await call(readFeed, {
    path: `/v1/integration/webhooks/${id}/feed`,
    params: { id: String(id) },
    query: `wait=${limits.feedWaitSeconds}`,
    headers: { 'x-api-key': key.value },
  });
  expect(status).toBe(200);
  const requests = 3_600 / limits.feedWaitSeconds;
  const { readUnits, writeUnits } = unitsOf(script);
  return {
    name: 'an hour of waiting',
    of: 1,
    readUnits: requests * readUnits,
    writeUnits: requests * writeUnits,
    httpRequests: requests,
    invocations: requests,
    gigabyteSeconds: gigabyteSeconds(requests * (1_000 * limits.feedWaitSeconds + assumedMs.api), apiMemoryMb),
    looks: requests * script.operations.filter((operation) => operation === 'Query').length,
  };
}

test("docs/cost.md shows what it costs when an integrator's request waits an hour for webhook messages", async () => {
  const { looks, ...usage } = await hourAtAFeed();
  const { total, reads, lambda } = costOf(usage, prices);
  const dollars = (aMillion: number, hours = 1) => `$${((aMillion / 1_000_000) * hours).toFixed(hours > 1 ? 2 : 3)}`;
  const rows = [
    ['requests', String(usage.httpRequests)],
    ['queries', String(looks)],
    ['read units', `${usage.readUnits.toFixed(0)}, ${dollars(reads)}`],
    ['write units', usage.writeUnits.toFixed(0)],
    ['function', `${usage.gigabyteSeconds.toFixed(0)} GB-seconds, ${dollars(lambda)}`],
    ['**all of it**', `**${dollars(total)}**, ${dollars(total, 730)} a month of 730 hours`],
  ];
  const table = ['| An hour of waiting | |', '|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n');
  expectRecordedPart('docs/cost.md', 'feeds', table, isAlike);
});

/** Lambda keeps five pollers for each queue, which wait twenty seconds at a time. */
const idlePollers = 5 * Object.keys(queues).length;

function idlePollingDollars(): number {
  return (idlePollers * 3 * 60 * 24 * 30 * pricesOfUse.queueRequest) / 1_000_000;
}

/** A query without results costs half a read unit. */
function emptyPartitionsDollars(): number {
  const runs = ({ everyMinutes }: { everyMinutes: number }) => (30 * 24 * 60) / everyMinutes;
  const { sweep, sweepDeliveries } = schedules;
  const queries = outboxShards * runs(sweep) + webhookShards * runs(sweepDeliveries);
  return (queries * 0.5 * pricesOfUse.readUnit) / 1_000_000;
}

test('docs/cost.md shows the monthly price of a stage without traffic, as calculated from its CloudFormation templates', async () => {
  const price = monthlyPrice((await synthesised()).resources);
  const rows: readonly (readonly [name: string, dollars: number])[] = [
    [`${price.alarms} alarms, which read ${price.alarmMetrics} metrics at $0.10`, price.alarmsDollars],
    [`${price.customMetrics} custom metrics at $0.30`, price.customMetricsDollars],
    ['the dashboard', price.dashboardsDollars],
    ['the KMS key', price.keysDollars],
    [
      `queries of \`sweep\` and \`sweep-deliveries\` in ${outboxShards + webhookShards} empty partitions, all month`,
      emptyPartitionsDollars(),
    ],
    [
      `${idlePollers} pollers of ${Object.keys(queues).length} SQS queues, each three times a minute, even if unused`,
      idlePollingDollars(),
    ],
  ];
  const sum = rows.reduce((all, [, dollars]) => all + dollars, 0);
  const table = [
    '| A stage, by the month | US dollars |',
    '|---|---|',
    ...rows.map(([name, dollars]) => `| ${name} | $${dollars.toFixed(2)} |`),
    `| **all of it** | **$${sum.toFixed(2)}** |`,
  ];
  expectRecordedPart('docs/cost.md', 'stage', table.join('\n'));
});
