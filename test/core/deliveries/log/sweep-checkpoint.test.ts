/** The checkpoint of the sweeper is written only when it changes, and only over the one that was read. */
import { beforeEach, expect, test } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { saveCheckpoint } from '../../../../core/deliveries/log/sweep-checkpoint.ts';
import { Counter } from '../../../../core/deliveries/statistics/counter.ts';
import { hourMs, packHours, unpackHours } from '../../../../core/deliveries/statistics/hours.ts';
import { getItem } from '../../../../core/store/read.ts';
import { transact } from '../../../../core/store/transact.ts';
import { remove, set, writeOne } from '../../../../core/store/write.ts';
import { deliveries } from '../../../../core/table-keys.ts';
import { type Registration, registrationOf } from '../../../../core/webhooks/registry/registration.ts';
import { newTenant, put, webhookOf } from '../../../support/pipeline-state.ts';
import { scriptTest } from '../../../support/script-test.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';
import { countedRecord, variedHours } from '../statistics/counted-record.ts';

const begin = usePipeline();
const at = Date.UTC(2026, 10, 24, 12);
const record = { id: 6, ...countedRecord({ createdAt: '2026-11-24T11:30:00.000Z', sentAt: at - hourMs / 2 }) };
let writes: string[];

beforeEach(() => {
  begin();
  writes = [];
});

/** A checkpoint up to which all numbers, to 5, are swept and counted, with changes. */
async function marked(changes: Partial<Registration> = {}): Promise<Registration> {
  const webhook = webhookOf(await newTenant(1));
  const before = { ...registrationOf(webhook), sweptThrough: 5, countedThrough: 5, countedAt: at - hourMs, ...changes };
  await put('deliveries', before);
  scriptTest([
    { when: ({ operation }) => /Update|Write/.test(operation), before: ({ operation }) => writes.push(operation) },
  ]);
  return before;
}
const now = (before: Registration) => getItem<Registration>('deliveries', before);

test.each([
  [
    'was changed by another search',
    (before: Registration) => writeOne(set('deliveries', before, { countedAt: at - 1 })),
  ],
  ['was deleted with its webhook', (before: Registration) => transact([remove('deliveries', before)])],
])(
  'A search for lost deliveries does not store its progress if the stored progress %s after it was read',
  async (_, change) => {
    const before = await marked();
    await change(before);
    const left = await now(before);
    await saveCheckpoint(before, { sweptThrough: 9, open: {} }, new Counter(before), at);
    expect(await now(before)).toEqual(left);
  },
);

/** With so many hours a checkpoint cannot hold another one. */
const many = packHours(variedHours(200, Math.floor(at / hourMs)));

test.each([
  ['after an earlier count', at - hourMs],
  ['also at the first count', undefined],
])(
  'Hourly statistics that no longer fit into one item move to a second item that expires, %s',
  async (_, countedAt) => {
    const before = await marked({ hours: many });
    const { countedAt: __, ...never } = before;
    const read = countedAt === undefined ? never : before;
    await put('deliveries', read);
    const counter = new Counter(read);
    counter.see(record, false);
    await saveCheckpoint(read, { sweptThrough: 6, open: {} }, counter, at);
    expect(writes).toEqual(['TransactWriteItems']);
    const since = countedAt ?? 0;
    const segment = await getItem<{ hours: Uint8Array }>('deliveries', deliveries.segment(before.id, since));
    expect(segment).toMatchObject({
      hours: many,
      expiresAtSeconds: Math.ceil(since / 1_000) + (limits.webhookStatisticsDays + 1) * 86_400,
    });
    const { hours, ...checkpoint } = (await now(before)) ?? {};
    expect(checkpoint).toMatchObject({ sweptThrough: 6, countedThrough: 6, countedAt: at });
    expect([...unpackHours(hours).values()].map(({ successes }) => successes)).toEqual([1]);
  },
);

test('When two scheduled searches for lost deliveries overlap, no hourly statistics are stored twice', async () => {
  const before = await marked({ hours: many });
  await writeOne(set('deliveries', before, { countedAt: at - 1 }));
  const counter = new Counter(before);
  counter.see(record, false);
  await saveCheckpoint(before, { sweptThrough: 6, open: {} }, counter, at);
  expect(await getItem('deliveries', deliveries.segment(before.id, at - hourMs))).toBeUndefined();
  expect(await now(before)).toMatchObject({ hours: many, sweptThrough: 5 });
});
