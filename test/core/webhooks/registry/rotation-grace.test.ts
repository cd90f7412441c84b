/** The secrets that sign after a rotation (docs/rules.md#secrets), on every path of a message to its receiver. */
import { createHmac } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { beforeEach, expect, test, vi } from 'vitest';
import { ping } from '../../../../core/deliveries/attempt/ping.ts';
import { readFeed } from '../../../../core/deliveries/feed/read-feed.ts';
import { deleteWebhook } from '../../../../core/webhooks/registry/delete-webhook.ts';
import { findSecret, rotateSecret } from '../../../../core/webhooks/registry/signing-secret.ts';
import type { SendRequest } from '../../../../core/webhooks/sender/send.ts';
import { duringTest } from '../../../support/during-test.ts';
import { type Interference, interfering, unconditional } from '../../../support/interfere.ts';
import { ok, type Pipeline } from '../../../support/pipeline.ts';
import { firstSecret, newFeed, newOwnWebhook, type OwnWebhook } from '../../../support/pipeline-state.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const injected = vi.hoisted(() => ({ oldSecretSigns: false }));
vi.mock(import('../../../../core/webhooks/sender/signature.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    signedHeaders: ({ previousSecret, ...signing }) => ({
      ...real.signedHeaders({ previousSecret, ...signing }),
      ...(injected.oldSecretSigns &&
        previousSecret && {
          'X-Webhook-Signature': real.signedHeaders({ ...signing, secret: previousSecret })['X-Webhook-Signature'],
        }),
    }),
  };
});

const begin = usePipeline();
let pipeline: Pipeline;
beforeEach(() => {
  pipeline = begin();
});

type Message = Pick<SendRequest, 'headers' | 'body'>;
type Receive = (own: OwnWebhook) => Promise<Message | undefined>;

const ways: Readonly<Record<'pushed' | 'read' | 'tested', Receive>> = {
  pushed: async ({ tenantId }) => {
    await pipeline.raise(tenantId);
    await pipeline.run(pipeline.now);
    return pipeline.posts.at(-1)?.request;
  },
  read: async ({ tenantId, key, id }) => {
    await pipeline.raise(tenantId);
    await pipeline.run(pipeline.now);
    return (await readFeed(key, id, {})).data.at(-1);
  },
  tested: async ({ key, id }) => {
    let sent: Message | undefined;
    await ping(key, id, {}, async (request) => {
      sent = request;
      return ok;
    });
    return sent;
  },
};

async function received(way: keyof typeof ways, own: OwnWebhook): Promise<Message> {
  const message = await ways[way](own);
  if (!message) throw new Error('No message arrived');
  return message;
}

/** The secrets that signed a message: that of `X-Webhook-Signature`, and each that Standard Webhooks accepts. */
function signers({ headers, body }: Message, secrets: Readonly<Record<string, string>>) {
  const names = Object.keys(secrets);
  const hmac = (name: string) => `sha256=${createHmac('sha256', `${secrets[name]}`).update(body).digest('hex')}`;
  const text = Buffer.from(body);
  const verifies = (name: string) => {
    try {
      return Boolean(new StandardWebhook(`${secrets[name]}`).verify(text, headers));
    } catch {
      return false;
    }
  };
  vi.useFakeTimers({ now: pipeline.now });
  const standard = names.filter(verifies);
  vi.useRealTimers();
  return { specified: names.filter((name) => hmac(name) === headers['X-Webhook-Signature']), standard };
}

async function rotation(way: keyof typeof ways) {
  const own = await (way === 'read' ? newFeed() : newOwnWebhook());
  const { secret, previousUntil } = await rotateSecret(own.key, own.id, { graceSeconds: 600 });
  expect(previousUntil).toBe(new Date(pipeline.now + 600_000).toISOString());
  return async () => signers(await received(way, own), { old: firstSecret, new: secret });
}

test.each([
  ['is pushed to a URL', 'pushed'],
  ['is read from the feed', 'read'],
  ['tests the webhook', 'tested'],
] as const)(
  'In the grace period of a secret rotation, the old and the new secret both verify a message that %s',
  async (_, way) => {
    const next = await rotation(way);
    expect(await next()).toEqual({ specified: ['new'], standard: ['old', 'new'] });
    pipeline.advance(600_000);
    expect(await next()).toEqual({ specified: ['new'], standard: ['new'] });
  },
);

test('A second rotation in the grace period ends the oldest secret at once, and one without a grace period ends all older ones', async () => {
  const own = await newOwnWebhook();
  const rotate = () => rotateSecret(own.key, own.id, { graceSeconds: 600 });
  const [second, third] = [(await rotate()).secret, (await rotate()).secret];
  expect(signers(await received('pushed', own), { first: firstSecret, second, third })).toEqual({
    specified: ['third'],
    standard: ['second', 'third'],
  });
  const { secret: fourth, previousUntil } = await rotateSecret(own.key, own.id);
  expect(previousUntil).toBeNull();
  expect(signers(await received('pushed', own), { third, fourth })).toEqual({
    specified: ['fourth'],
    standard: ['fourth'],
  });
});

/** A rotation with a concurrent request before its commit. */
const overtaken = ({ key, id }: OwnWebhook, first: () => Promise<unknown>, instead?: Interference['instead']) =>
  interfering({ when: (writes) => writes.some(({ Put }) => Put?.Item?.previous), first, instead }, () =>
    rotateSecret(key, id, { graceSeconds: 600 }),
  );

test.each<[string, Interference['instead'], readonly string[]]>([
  [
    'Two concurrent secret rotations with a grace period return two secrets that both verify messages',
    undefined,
    ['other', 'own'],
  ],
  [
    'Negative control: if a rotation does not check which secret it replaces, the secret of a concurrent rotation is lost',
    (writes) => writes.map((write) => (write.Put ? unconditional(write) : write)),
    ['own'],
  ],
])('%s', async (_, instead, standard) => {
  const webhook = await newOwnWebhook();
  let other = '';
  const { secret: own } = await overtaken(
    webhook,
    async () => {
      other = (await rotateSecret(webhook.key, webhook.id, { graceSeconds: 600 })).secret;
    },
    instead,
  );
  expect(signers(await received('pushed', webhook), { other, own })).toEqual({ specified: ['own'], standard });
});

test('Rotating the secret of a webhook that is concurrently deleted gets 404, and no secret is stored', async () => {
  const webhook = await newOwnWebhook();
  const deletion = () => deleteWebhook(webhook.key, webhook.id);
  await expect(overtaken(webhook, deletion)).rejects.toMatchObject({ code: 'not_found' });
  expect(await findSecret(webhook.id.id)).toBeUndefined();
});

test('Negative control: if a secret rotation does not check that the webhook exists, a secret is stored for a deleted webhook', async () => {
  const webhook = await newOwnWebhook();
  const unchecked: Interference['instead'] = (writes) => writes.filter(({ Put }) => Put).map(unconditional);
  const { secret } = await overtaken(webhook, () => deleteWebhook(webhook.key, webhook.id), unchecked);
  expect(await findSecret(webhook.id.id)).toMatchObject({ secret });
});

test('Negative control: a test receiver notices an X-Webhook-Signature that still uses the old secret after a rotation', async () => {
  duringTest(injected, { oldSecretSigns: true });
  for (const way of Object.keys(ways) as (keyof typeof ways)[]) {
    expect(await (await rotation(way))(), way).toMatchObject({ specified: ['old'] });
  }
});
