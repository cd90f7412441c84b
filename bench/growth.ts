/**
 * `npm run bench -- growth`: how the cost of each endpoint and of planning an event grows with a business: calls to
 * DynamoDB, read units and time. Businesses of each size get the same requests, to the handlers of both tables of
 * routes, with 200 staff, 50 keys and 100 webhooks each. Costs that a page or a day limits must not grow.
 */

import { deepStrictEqual } from 'node:assert/strict';
import { AdminCreateUserCommand, CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Context, SQSEvent } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import type { Endpoint } from '../contract/define.ts';
import { fileName } from '../contract/integration/api.ts';
import { listBookings } from '../contract/integration/routes.ts';
import { queues as queueRows } from '../contract/system/queues.ts';
import { newId, now, timestamp } from '../core/clock.ts';
import type { LambdaHandler } from '../core/http/context.ts';
import { type Api, apis } from '../lib/apis.ts';
import { withClaims } from '../test/support/account.ts';
import { setUse } from '../test/support/api-keys.ts';
import { httpEvent, requestTo } from '../test/support/http.ts';
import { type Script, scriptDynamo } from '../test/support/scripted-dynamo.ts';
import { openTables } from '../test/support/tables.ts';
import { admin, fillThrough, type Grown, grow, raise } from './growth/grown.ts';
import { type AskBookings, mirrorOf, requestsOfDay } from './growth/polling.ts';
import { type ExampleRequest, questionsOf } from './growth/requests.ts';
import type { Row } from './row.ts';
import { median, type Size } from './turns.ts';

const sizes: Readonly<Record<Size, { entries: readonly number[]; rounds: number }>> = {
  full: { entries: [100, 1_000, 10_000, 100_000], rounds: 3 },
  tiny: { entries: [100, 200], rounds: 1 },
};

/** The operations whose cost grows by nature, and with what it grows. */
const mayGrow: Readonly<Record<string, string>> = {
  'account exportClient': 'with the stored messages of all webhooks; a response ends after some seconds',
  'account deleteStaffMember': 'with the number of future days that have bookings, which it counts',
  'account deleteResource': 'with the number of future days that have bookings, which it counts',
};

/** A larger business may need this many more calls and read units, for half-filled pages and partial days. */
const toleratedUnits = 2;
const tolerated = 1.15;
/** All operations are measured and checked. The table shows those that grow, and this many of the costliest reads. */
const dearestShown = 12;

const context = { awsRequestId: 'growth', getRemainingTimeInMillis: () => 60_000 } as Context;
const noFailures = { batchItemFailures: [] };

interface Cost {
  readonly calls: number;
  readonly units: number;
  readonly ms: number;
}

/**
 * Uses tables in memory, which count units like an emulator: the time measured is that of the functions. Filling an
 * emulator takes hours: `DYNAMODB_EMULATOR=dynoxide npm run bench -- growth`.
 */
export async function bench(size: Size): Promise<Row[]> {
  const { entries, rounds } = sizes[size];
  const tables = await openTables();
  fillThrough(tables.connect());
  const queues = mockClient(SQSClient);
  const bus = mockClient(EventBridgeClient);
  const people = mockClient(CognitoIdentityProviderClient);
  people.on(AdminCreateUserCommand).callsFake(() => ({ User: { Attributes: [{ Name: 'sub', Value: `${newId()}` }] } }));
  queues
    .on(SendMessageBatchCommand)
    .callsFake(({ Entries = [] }) => ({ Successful: Entries.map(({ Id }: { Id: string }) => ({ Id })) }));
  try {
    process.env.ALLOW_LOOPBACK_TARGETS = 'true';
    process.env.USER_POOL = 'pool';
    for (const name of Object.keys(queueRows)) process.env[`QUEUE_${name.toUpperCase()}`] = `https://sqs.test/${name}`;
    using script = scriptDynamo([], { units: true });
    const measured = new Map<string, Cost[]>();
    const polls: Cost[] = [];
    let requests = 0;
    for (const count of entries) {
      const grown = await grow(count);
      const ask = bookingsAsked(grown);
      const { poll } = mirrorOf(ask, timestamp(now() - 60_000));
      await poll();
      polls.push(await costOf(script, poll));
      if (count === entries.at(-1)) requests = await requestsOfDay(ask, grown.tenantId, grown.bookingIds);
      for (const [name, cost] of await costsOf(grown, rounds, script)) {
        measured.set(name, [...(measured.get(name) ?? []), cost]);
      }
    }
    return [...pollingRows(polls, requests, entries), ...rowsOf(measured, entries)];
  } finally {
    queues.restore();
    bus.restore();
    people.restore();
    await tables.stop();
  }
}

function bookingsAsked(grown: Grown): AskBookings {
  return async (query) => {
    const { handler } = await import('../functions/api/list-bookings.ts');
    const answer = await invoke(handler, apis.integration, { ...listBookings, operation: 'listBookings' }, grown, {
      query,
    });
    return answer as unknown as Awaited<ReturnType<AskBookings>>;
  };
}

/** The polls of the last day are those of the largest business. */
function pollingRows(polls: readonly Cost[], requests: number, entries: readonly number[]): Row[] {
  const [first, ...others] = polls.map(({ calls, units }) => `calls ${calls}, read units ${units}`);
  return [
    {
      name: `growth: a poll without changes, of ${entries.join(', ')} bookings`,
      value: polls.at(-1)?.units ?? 0,
      unit: 'read units',
      ratio: [first, ...others].join(' → '),
      goal: 'the same',
      met: others.every((other) => other === first),
    },
    {
      name: `growth: requests of a day of one-minute polling of ${entries.at(-1)} bookings with 2 500 changes`,
      value: requests,
      unit: 'requests',
      goal: '≤ 2000',
      met: requests <= 2_000,
    },
  ];
}

async function costsOf(grown: Grown, rounds: number, script: Script): Promise<Map<string, Cost>> {
  const costs = new Map<string, Cost>();
  const created = new Map<string, Record<string, unknown>>();
  for (const api of Object.values<Api>(apis)) {
    for (const row of creationsFirst(api.rows)) {
      const file = `../functions/${api.folder}/${fileName(row.operation)}.ts`;
      // The limits of a key are not measured.
      await setUse(admin, grown.key.hash, 0);
      const { handler } = (await import(file)) as { handler: LambdaHandler };
      for (const [question, ask] of questionsOf({ ...row, folder: api.folder })) {
        // The first round loads what is loaded once.
        const measured: Cost[] = [];
        for (let round = 0; round <= rounds; round++) {
          const request = await ask(grown, round, (collection) => created.get(`${collection} ${round}`) ?? {});
          measured.push(
            await costOf(script, async () => {
              const answer = await invoke(handler, api, row, grown, request);
              if (isCreation(row)) created.set(`${row.path} ${round}`, answer);
            }),
          );
        }
        costs.set(question, middle(measured.slice(1)));
      }
    }
  }
  const { handler: plan } = await import('../functions/queues/plan-deliveries.ts');
  const planning: Cost[] = [];
  for (let round = 0; round <= rounds; round++) {
    const message = { Records: [{ messageId: '1', body: await raise(grown) }] } as SQSEvent;
    planning.push(await costOf(script, async () => deepStrictEqual(await plan(message, context), noFailures)));
  }
  costs.set('planning of an event', middle(planning.slice(1)));
  return costs;
}

function middle(costs: readonly Cost[]): Cost {
  const of = (field: keyof Cost) => median(costs.map((cost) => cost[field]));
  return { calls: of('calls'), units: of('units'), ms: of('ms') };
}

async function costOf(script: Script, work: () => Promise<unknown>): Promise<Cost> {
  script.calls.length = 0;
  const began = performance.now();
  await work();
  const ms = performance.now() - began;
  return { calls: script.calls.length, units: script.units('read'), ms };
}

/** Throws unless the endpoint returns the status of its row: a refusal would measure nothing. */
async function invoke(
  handler: LambdaHandler,
  { callers, prefix }: Api,
  row: Endpoint & { readonly operation: string },
  { tenantId, key }: Grown,
  { params = {}, query = {}, headers = {}, body }: ExampleRequest,
): Promise<Record<string, unknown>> {
  const event = httpEvent({
    ...requestTo(row),
    path: prefix + row.path.replace(/:([A-Za-z]+)/g, (_, name: string) => params[name] ?? '1'),
    params,
    query: new URLSearchParams(query as Record<string, string>).toString(),
    headers: {
      ...headers,
      ...(callers === 'keys' && { 'x-api-key': key.value }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const claims = { sub: `owner-${newId()}`, 'custom:businessId': String(tenantId) };
  const result = await handler(callers === 'owners' ? withClaims(event, claims) : event, context);
  if (result.statusCode !== row.status) {
    throw new Error(`${row.method} ${row.path} (${row.operation}) answered ${result.statusCode}: ${result.body}`);
  }
  return JSON.parse(result.body || '{}') as Record<string, unknown>;
}

/** Creations come first, because other rows need what they create. */
function creationsFirst<T extends Endpoint>(rows: readonly T[]): T[] {
  return rows.toSorted((a, b) => Number(isCreation(b)) - Number(isCreation(a)));
}

function isCreation({ method, path }: Endpoint): boolean {
  return method === 'POST' && !path.includes(':');
}

function rowsOf(measured: ReadonlyMap<string, readonly Cost[]>, entries: readonly number[]): Row[] {
  const rows = [...measured].map(([name, costs]): Row & { grows: boolean; isMore: boolean; units: number } => {
    // The smallest business has days that are not full.
    const full = costs.at(-2) ?? { calls: 0, units: 0, ms: 0 };
    const last = costs.at(-1) ?? full;
    const isMore = last.calls > full.calls * tolerated + 1 || last.units > full.units * tolerated + toleratedUnits;
    const grows = isMore && !(name in mayGrow);
    const across = (field: keyof Cost, digits: number) =>
      costs.map((cost) => Number(cost[field].toFixed(digits))).join(' → ');
    return {
      name: `growth: ${name}`,
      value: last.ms,
      unit: 'ms',
      ratio: `calls ${across('calls', 0)}, read units ${across('units', 1)}, ms ${across('ms', 1)}${isMore ? `: grows ${mayGrow[name] ?? ''}` : ''}`,
      grows,
      isMore,
      units: last.units,
    };
  });
  const growing = rows.filter(({ grows }) => grows).length;
  const dearest = new Set(rows.toSorted((a, b) => b.units - a.units).slice(0, dearestShown));
  return [
    {
      name: `growth: endpoints whose cost grows, but should not, from ${entries.at(-2)} to ${entries.at(-1)} bookings, clients and deliveries`,
      value: growing,
      unit: 'endpoints',
      ratio: `of ${rows.length}`,
      goal: '0',
      met: growing === 0,
    },
    ...rows.filter((row) => row.isMore || dearest.has(row)).map(({ grows: _, isMore: __, units: ___, ...row }) => row),
  ];
}
