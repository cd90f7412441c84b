/**
 * `npm run bench -- deliveries-page`: page 500 of a webhook's log, with twenty records per page.
 * This project reads a range of numbers; the baseline skips and counts, as a page and its total require when records
 * are only ordered by time. Both read the same records from the same DynamoDB emulator in the same run, and their
 * results are compared before anything is timed.
 */

import { deepStrictEqual } from 'node:assert/strict';
import { PutCommand, QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { eventNames } from '../contract/events.ts';
import type { DeliveryRecord } from '../contract/integration/resources.ts';
import { limits } from '../contract/limits.ts';
import { dynamo } from '../core/clients.ts';
import { newId, now } from '../core/clock.ts';
import { listDeliveries } from '../core/deliveries/log/list.ts';
import { type AttemptItem, type DeliveryItem, recordOf } from '../core/deliveries/model/delivery-record.ts';
import { deliveries } from '../core/table-keys.ts';
import { newWebhookItem, type WebhookItem } from '../core/webhooks/registry/webhook.ts';
import { putAll } from '../local/admin.ts';
import { endedDelivery } from '../test/support/delivery-records.ts';
import { connectFunctions, createTables, startDynamo, tableName } from '../test/support/dynamo.ts';
import { keyPrincipal } from '../test/support/principals.ts';
import { scriptDynamo } from '../test/support/scripted-dynamo.ts';
import type { Row } from './row.ts';
import { median, ratioOf, type Size, takeTurns } from './turns.ts';

const limit = limits.pageSizeDefault;
const sizes: Readonly<Record<Size, { page: number; rounds: number; reads: number }>> = {
  full: { page: 500, rounds: 7, reads: 5 },
  tiny: { page: 3, rounds: 1, reads: 1 },
};

interface Page {
  readonly data: DeliveryRecord[];
  readonly total: number;
}

/** Creates a webhook whose log has that many pages. */
async function fill(pages: number): Promise<WebhookItem> {
  const count = pages * limit;
  const key = { tenantId: newId(), keyId: newId() };
  const webhook: WebhookItem = {
    ...newWebhookItem(key, { targetUrl: 'https://receiver.example/hooks', events: [...eventNames] }),
    lastNumber: count,
  };
  await dynamo().send(new PutCommand({ TableName: tableName('deliveries'), Item: webhook }));
  const items = Array.from({ length: count }, (_, i) => delivered(webhook, i + 1));
  await putAll({ db: dynamo(), table: tableName }, 'deliveries', items);
  return webhook;
}

function delivered(webhook: WebhookItem, number: number): DeliveryItem {
  const name = eventNames[number % eventNames.length] ?? 'booking.created';
  const answered = { responseStatusCode: 200, responseTimeMs: 123, responseBody: '{"received":true}' };
  return endedDelivery(webhook, number, now(), answered, name);
}

/** Reads from the newest record on, discards those before the page, and counts all for the total. */
async function skipAndCount(webhook: WebhookItem, page: number): Promise<Page> {
  const query = {
    TableName: tableName('deliveries'),
    KeyConditionExpression: 'pk = :log AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':log': deliveries.log(webhook.id), ':prefix': 'R#' },
    ScanIndexForward: false,
  };
  const wanted = page * limit;
  const rows: AttemptItem[] = [];
  let from: Record<string, unknown> | undefined;
  do {
    const read: QueryCommandOutput = await dynamo().send(
      new QueryCommand({ ...query, Limit: wanted - rows.length, ExclusiveStartKey: from }),
    );
    rows.push(...((read.Items ?? []) as AttemptItem[]));
    from = read.LastEvaluatedKey;
  } while (from && rows.length < wanted);
  let total = 0;
  from = undefined;
  do {
    const read: QueryCommandOutput = await dynamo().send(
      new QueryCommand({ ...query, Select: 'COUNT', ExclusiveStartKey: from }),
    );
    total += read.Count ?? 0;
    from = read.LastEvaluatedKey;
  } while (from);
  return { data: rows.slice(wanted - limit, wanted).map(recordOf), total };
}

/** The rows about the log of deliveries. Takes half a minute, most of it to fill the log. */
export async function bench(size: Size): Promise<Row[]> {
  const { page, rounds, reads } = sizes[size];
  const emulator = await startDynamo();
  try {
    await createTables(emulator.endpoint);
    connectFunctions(emulator.endpoint);
    const webhook = await fill(page);
    const key = keyPrincipal(webhook.tenantId, webhook.keyId);
    const ours = (number: number) => listDeliveries(key, { id: webhook.id }, { page: number });

    using script = scriptDynamo([], { units: true });
    const unitsOf = async (read: () => Promise<Page>) => {
      script.calls.length = 0;
      const answer = await read();
      return { answer, units: script.units() };
    };
    const last = await unitsOf(() => ours(page));
    const first = await unitsOf(() => ours(1));
    const naive = await unitsOf(() => skipAndCount(webhook, page));
    deepStrictEqual(last.answer, naive.answer);

    const times = await takeTurns(
      [
        { name: 'ours', run: () => repeat(reads, () => ours(page)) },
        { name: 'first', run: () => repeat(reads, () => ours(1)) },
        { name: 'skipping', run: () => skipAndCount(webhook, page) },
      ],
      rounds,
    );
    const slower = ratioOf(times, 'skipping', 'ours') * reads;
    const versusFirst = ratioOf(times, 'ours', 'first');
    const ms = (name: string, count: number) => median(times.get(name) ?? []) / count;
    // The webhook itself and the search for the oldest record take one unit each.
    const rowUnits = last.units - 2;
    return [
      {
        name: `deliveries page ${page}: ours`,
        value: ms('ours', reads),
        unit: 'ms',
        ratio: `${versusFirst.toFixed(2)} × page 1`,
      },
      {
        name: `deliveries page ${page}: skip and count`,
        value: ms('skipping', 1),
        unit: 'ms',
        ratio: `${slower.toFixed(0)} × ours`,
        goal: '≥ 50 × ours',
        met: slower >= 50,
      },
      {
        name: `deliveries page ${page}: read units of its ${limit} rows`,
        value: rowUnits,
        unit: 'units',
        ratio: `${first.units - 2} on page 1`,
        goal: '≤ 2',
        met: rowUnits <= 2,
      },
      {
        name: `deliveries page ${page}: read units in all, with the total`,
        value: last.units,
        unit: 'units',
        ratio: `${naive.units.toFixed(0)} for skip and count`,
      },
    ];
  } finally {
    dynamo().destroy();
    await emulator.stop();
  }
}

async function repeat(times: number, run: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < times; i++) await run();
}
