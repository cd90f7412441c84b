/** The limit on concurrent pings (docs/rules.md#pings): each uses a function until its receiver responds. */
import { beforeEach, expect, test, vi } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { ping } from '../../../../core/deliveries/attempt/ping.ts';
import type { ApiError } from '../../../../core/errors.ts';
import { getItem } from '../../../../core/store/read.ts';
import { deliveries } from '../../../../core/table-keys.ts';
import type { WebhookItem } from '../../../../core/webhooks/registry/webhook.ts';
import { withBug } from '../../../support/faults.ts';
import { unconditional } from '../../../support/interfere.ts';
import { type Answer, ok } from '../../../support/pipeline.ts';
import { newOwnWebhook, newTenant, newWebhook, webhookNow } from '../../../support/pipeline-state.ts';
import { keyPrincipal } from '../../../support/principals.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();
beforeEach(() => void begin());
const waiting = { timeout: 60_000, interval: 5 };

/** A receiver that responds when the test asks for it. */
function slowReceiver() {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  let pings = 0;
  const sender = () => {
    pings += 1;
    return promise;
  };
  return { sender, answer: () => resolve(ok), pings: () => pings };
}

const pingOf = ({ tenantId, keyId, id }: WebhookItem, sender: () => Promise<Answer>) =>
  ping(keyPrincipal(tenantId, keyId), { id }, {}, sender);

/** Concurrent pings; the receiver responds after each of the others was refused. */
async function pingAtOnce(webhooks: readonly WebhookItem[]) {
  const receiver = slowReceiver();
  const refused: string[] = [];
  const pings = webhooks.map((webhook) =>
    pingOf(webhook, receiver.sender).catch(({ code }: ApiError) => void refused.push(code)),
  );
  await vi.waitFor(() => expect(receiver.pings() + refused.length).toBe(webhooks.length), waiting);
  receiver.answer();
  await Promise.all(pings);
  return { pings: receiver.pings(), refused };
}

test('If five pings of one webhook are requested concurrently, one ping is sent and the others get 409', async () => {
  const { webhook } = await newOwnWebhook();
  expect(await pingAtOnce(Array(5).fill(webhook))).toEqual({ pings: 1, refused: Array(4).fill('ping_in_progress') });
});

test('If pings of five webhooks of one business are requested concurrently, three are sent and the others get 409', async () => {
  const { webhooks } = await newTenant(5);
  expect(await pingAtOnce(webhooks)).toEqual({ pings: 3, refused: Array(2).fill('ping_in_progress') });
});

test('Negative control: if the start of a ping is recorded without a condition, a business pings more than three webhooks at once', async () => {
  const { webhooks } = await newTenant(5);
  const { pings } = await withBug(
    (writes) => writes.map(unconditional),
    () => pingAtOnce(webhooks),
  );
  expect(pings).toBeGreaterThan(limits.pingsPerBusiness);
});

test('Pings of the webhooks of one business do not block pings of another business', async () => {
  const receiver = slowReceiver();
  const { webhooks } = await newTenant(3);
  const running = webhooks.map((webhook) => pingOf(webhook, receiver.sender));
  await vi.waitFor(() => expect(receiver.pings()).toBe(3), waiting);
  const other = await newOwnWebhook();
  expect(await pingOf(other.webhook, async () => ok)).toMatchObject({ success: true });
  receiver.answer();
  await Promise.all(running);
});

test('A webhook can be pinged again as soon as its ping was answered or has failed', async () => {
  const { webhook } = await newOwnWebhook();
  expect(await pingOf(webhook, async () => ok)).toMatchObject({ success: true });
  await expect(
    pingOf(webhook, async () => {
      throw new Error('the sender broke');
    }),
  ).rejects.toThrow('the sender broke');
  expect(await pingOf(webhook, async () => ok)).toMatchObject({ success: true });
});

test('A ping of a webhook whose function crashed blocks further pings for a limited time, which their 409 response states', async () => {
  const pipeline = begin();
  const { tenantId, keyId, webhook } = await newOwnWebhook();
  const receiver = slowReceiver();
  void pingOf(webhook, receiver.sender);
  await vi.waitFor(() => expect(receiver.pings()).toBe(1), waiting);
  const seconds = limits.deliveryTimeoutMs / 1_000 + 3;
  pipeline.advance(seconds * 1_000 - 1);
  await expect(pingOf(webhook, async () => ok)).rejects.toMatchObject({
    code: 'ping_in_progress',
    extras: { retryAfter: 1 },
  });
  pipeline.advance(1);
  // Storage does not grow with each crash: a ping of another webhook also removes what the crashed one left.
  await pingOf(await newWebhook(tenantId, keyId), async () => ok);
  expect(JSON.stringify(await getItem('deliveries', deliveries.pings(tenantId)))).not.toContain('waits');
  expect(await pingOf(webhook, async () => ok)).toMatchObject({ success: true });
});

test('A ping ends the lower sending limit of a new webhook host only if the host responds with 2xx', async () => {
  const { webhook } = await newOwnWebhook({ answeredHost: 'other' });
  await pingOf(webhook, async () => ({ ...ok, status: 500 }) as Answer);
  expect(await webhookNow(webhook)).toMatchObject({ answeredHost: 'other' });
  await pingOf(webhook, async () => ok);
  expect(await webhookNow(webhook)).toMatchObject({ answeredHost: 'receiver.example' });
});
