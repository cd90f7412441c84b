/** Statistics of webhooks add at most a fiftieth to each row of `docs/cost.md` (docs/decisions/statistics.md). */
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dynamo } from '../../core/clients.ts';
import { newId, timestamp } from '../../core/clock.ts';
import { saveCheckpoint } from '../../core/deliveries/log/sweep-checkpoint.ts';
import { Counter } from '../../core/deliveries/statistics/counter.ts';
import { type Registration, registrationOf } from '../../core/webhooks/registry/registration.ts';
import { pricesIn } from '../support/cost-model.ts';
import { tableName } from '../support/dynamo.ts';
import { put } from '../support/pipeline-state.ts';
import { committed } from '../support/recorded.ts';
import { scriptDynamo } from '../support/scripted-dynamo.ts';
import { inMemory, type Tables } from '../support/tables.ts';

/** Concurrent deliveries to one webhook, by row. Webhooks share no counters. */
const together: Readonly<Record<string, number>> = {
  'ten events at once, each for ten webhooks': 10,
  'a hundred events at once, for one webhook': 100,
  'a hundred events at once, of a hundred businesses with one webhook each': 1,
  'ten events at once, for one webhook': 10,
  'one event alone, for one webhook': 1,
};
const page = committed('docs/cost.md');
const prices = pricesIn(page);
const [, table = ''] = /<!-- deliveries -->([\s\S]*?)<!-- \/deliveries -->/.exec(page) ?? [];
const rows = [...table.matchAll(/^\| ([^|]+) \|.*\*\*\$([\d.]+)\*\* \|$/gm)]
  .map(([, name = '', total]) => ({ name, total: Number(total) }))
  .filter(({ name }) => !name.endsWith('without a webhook'));

/** Enough hours to exceed the checkpoint in every row: an hour with one attempt takes about five of its 700 bytes. */
const hours = 240;
const hourMs = 3_600_000;
const begin = Date.UTC(2026, 10, 2);

/** `sweep-deliveries` without statistics: it only stores its checkpoint. */
class Nothing extends Counter {
  override get hasMoved() {
    return false;
  }
  override next() {
    return { checkpoint: {} };
  }
}

/** An injected bug: the counts of a run never stay in the checkpoint. */
class SegmentEachTurn extends Counter {
  override next(at: number) {
    return { segment: new Uint8Array(7), ...super.next(at) };
  }
}

let tables: Tables;
beforeAll(async () => {
  tables = await inMemory();
});
afterAll(async () => {
  dynamo().destroy();
  await tables.stop();
});

/** Write units of `sweep-deliveries` for a webhook with this many deliveries per hour. */
async function sweeping(count: number, Counting: typeof Counter): Promise<number> {
  const first = registrationOf({ id: newId(), shard: 0, tenantId: newId(), keyId: newId() });
  await put('deliveries', first);
  using script = scriptDynamo([], { units: true });
  for (let hour = 0; hour < hours; hour++) {
    const at = begin + hour * hourMs;
    const before = await registered(first);
    const counter = new Counting(before);
    for (let i = 1; i <= count; i++) {
      // Receivers respond with varying delays, differently in each hour.
      const response = {
        deliveryStatus: 'success',
        responseStatusCode: 200,
        responseTimeMs: 40 + ((i * 37 + hour * hour * 613) % 9_000),
      };
      counter.see(
        { id: hour * count + i, createdAt: timestamp(at), trigger: 'scheduled', ...response } as never,
        false,
      );
    }
    await saveCheckpoint(before, { sweptThrough: (hour + 1) * count, open: {} }, counter, at + hourMs - 1);
  }
  return script.units('write');
}

async function registered({ pk, sk }: Registration): Promise<Registration> {
  const { Item } = await dynamo().send(new GetCommand({ TableName: tableName('deliveries'), Key: { pk, sk } }));
  return Item as Registration;
}

/** The share in the cost of a million deliveries of the row. */
async function share({ name, total }: { name: string; total: number }, Counting = Counter): Promise<number> {
  const count = together[name] ?? 0;
  const without = await sweeping(count, Nothing);
  expect(without).toBe(hours);
  const more = (await sweeping(count, Counting)) - without;
  // An hour or two would prove nothing, because they fit into the checkpoint.
  expect(more).toBeGreaterThan(0);
  return (more * prices.writeUnit) / (count * hours) / total;
}

test('The cost of webhook statistics is tested for every row about deliveries in docs/cost.md', () => {
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(together));
});

test.each(rows)('Webhook statistics add at most 2 % to the cost of a webhook delivery: $name', async (row) => {
  expect(await share(row)).toBeLessThanOrEqual(0.02);
});

test("Negative control: statistics written in every run of `sweep-deliveries` add more than 2 % to a delivery's cost", async () => {
  const [first = { name: '', total: 0 }] = rows;
  expect(await share(first, SegmentEachTurn)).toBeGreaterThan(0.02);
});
