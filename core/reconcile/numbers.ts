/**
 * Delivery numbers of webhooks after the loss of a region (docs/rules.md#feed, #delivery-records). The lost region may
 * have used numbers, in requests that receivers have got, that did not arrive here. So the next number of each log is
 * set above all numbers that can have been used.
 */
import { dayMs } from '../clock.ts';
import { getItem, queryPage } from '../store/read.ts';
import { transact } from '../store/transact.ts';
import { put, set } from '../store/write.ts';
import { deliveries } from '../table-keys.ts';
import { type Registration, registrationOf } from '../webhooks/registry/registration.ts';
import { webhooksOfBusiness } from '../webhooks/registry/store.ts';
import type { WebhookItem } from '../webhooks/registry/webhook.ts';

/**
 * The throughput of a webhook's log: 25 numbers are one write of two units, and an item takes 1 000 units a second
 * (docs/decisions/numbers-without-transactions.md).
 */
const numbersPerSecondMax = 12_500;
/** Longer than delivery records are kept. */
const keptMs = 32 * dayMs;

/**
 * Returns how many webhooks of the business got other gaps. In a repeated run, the gap begins after the records of the
 * lost region that have arrived since, so that lists and `sweep-deliveries` read these records.
 */
export async function renumber(
  tenantId: number,
  { since, until }: { readonly since: number; readonly until: number },
): Promise<number> {
  const count = Math.ceil((numbersPerSecondMax * (until - since)) / 1_000);
  let renumbered = 0;
  for (const webhook of await webhooksOfBusiness(tenantId)) {
    const { id, lastNumber, gaps = [] } = webhook;
    const known = gaps.find(([, , lostAt]) => lostAt === until);
    const [from = lastNumber + 1, upTo] = known ?? [];
    const first = Math.max(from, (await newestNumber(id, upTo)) + 1);
    if (known && first === from) continue;
    const last = upTo ?? first + count - 1;
    const recent = gaps.filter((gap) => gap !== known && gap[2] > until - keptMs);
    // A gap without numbers stays in the list, so that another run adds no new one.
    const fields = { gaps: [...recent, [first, last, until] as const].toSorted(([a], [b]) => a - b) };
    const key = deliveries.registration(webhook);
    const registration = (await getItem<Registration>('deliveries', key)) ?? registrationOf(webhook);
    const writes = [
      set('deliveries', webhook, { ...fields, lastNumber: Math.max(last, lastNumber) }, { lastNumber }),
      put('deliveries', { ...registration, ...fields, sweptThrough: Math.min(registration.sweptThrough, from - 1) }),
    ];
    if ((await transact(writes)) !== 'committed')
      throw new Error(
        `Another program changed webhook ${id} during the reconciliation: stop all writers, then try again`,
      );
    renumbered += 1;
  }
  return renumbered;
}

async function newestNumber(webhookId: number, upTo = Number.MAX_SAFE_INTEGER): Promise<number> {
  const { items } = await queryPage<Pick<WebhookItem, 'id'>>('deliveries', {
    KeyConditionExpression: 'pk = :log AND sk <= :last',
    ExpressionAttributeValues: { ':log': deliveries.log(webhookId), ':last': deliveries.record(webhookId, upTo).sk },
    ProjectionExpression: 'id',
    ScanIndexForward: false,
    Limit: 1,
    ConsistentRead: true,
  });
  return items[0]?.id ?? 0;
}
