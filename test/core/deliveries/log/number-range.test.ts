/** Places in a log are found by reads that miss nothing, and never beyond the numbers that are asked for. */
import { beforeEach, expect, test } from 'vitest';
import { listDeliveries } from '../../../../core/deliveries/log/list.ts';
import type { WebhookItem } from '../../../../core/webhooks/registry/webhook.ts';
import { endedDelivery } from '../../../support/delivery-records.ts';
import type { Pipeline } from '../../../support/pipeline.ts';
import { newTenant, newWebhook, put } from '../../../support/pipeline-state.ts';
import { keyPrincipal, type TestKey } from '../../../support/principals.ts';
import { scriptTest } from '../../../support/script-test.ts';
import { staleQueriesFindNothing } from '../../../support/stale-queries.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();
let pipeline: Pipeline;
let webhook: WebhookItem;
let key: TestKey;

/** Records of these numbers; those up to `past` end with this second. */
async function fill(numbers: readonly number[], past = 0): Promise<void> {
  const expiresAtSeconds = pipeline.now / 1_000;
  for (const number of numbers) {
    const changes = number <= past ? { expiresAtSeconds } : {};
    await put('deliveries', endedDelivery(webhook, number, pipeline.now, changes));
  }
}

beforeEach(async () => {
  pipeline = begin();
  const { tenantId, keyId } = await newTenant(0);
  key = keyPrincipal(tenantId, keyId);
  webhook = await newWebhook(tenantId, keyId, { lastNumber: 5 });
  scriptTest([staleQueriesFindNothing]);
});

test.each([
  ['is past its time in the second in which it ends', [1, 2, 3, 4, 5], 2, [5, 4, 3]],
  ['is past its time as all of its log', [1, 2, 3, 4, 5], 5, []],
  ['was made after the log was looked at', [1, 7], 1, []],
  ['is gone', [], 0, []],
])('A delivery record that %s is neither listed nor counted', async (_, numbers, past, shown) => {
  await fill(numbers, past);
  const { data, total } = await listDeliveries(key, { id: webhook.id }, {});
  expect([data.map(({ id }) => id), total]).toEqual([shown, shown.length]);
});
