/** The contenders: the production handler, naive handlers, and loops that do a part of its work. */
import { deepStrictEqual } from 'node:assert/strict';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { Pool } from 'undici';
import { chunksOf } from '../../core/chunks.ts';
import { dynamo } from '../../core/clients.ts';
import { now, timestamp } from '../../core/clock.ts';
import { decompressText } from '../../core/compressed-text.ts';
import { findForAttempts } from '../../core/deliveries/attempt/attempt.ts';
import { type DeliveryRef, deliveriesPerBatch } from '../../core/deliveries/model/batch.ts';
import { deliveryId } from '../../core/deliveries/model/delivery-id.ts';
import { deliveries, secrets } from '../../core/table-keys.ts';
import type { WebhookItem } from '../../core/webhooks/registry/webhook.ts';
import { eventBody } from '../../core/webhooks/sender/message.ts';
import { send } from '../../core/webhooks/sender/send.ts';
import { signedHeaders } from '../../core/webhooks/sender/signature.ts';
import { handler } from '../../functions/queues/deliver-webhook.ts';
import { tableName } from '../../test/support/dynamo.ts';
import { put } from '../../test/support/pipeline-state.ts';
import { together } from '../turns.ts';
import { fail, type Planned } from './planned.ts';

const context = { getRemainingTimeInMillis: () => 60_000, awsRequestId: 'bench' } as Context;

/** Delivers all messages, one batch at a time, like one container. */
export type Contender = (planned: readonly Planned[], batchSize: number) => Promise<void>;

function fromQueue(handle: (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>): Contender {
  return async (planned, batchSize) => {
    for (const batch of chunksOf(planned, batchSize)) {
      // Planning groups messages in the same way.
      const alike = [...Map.groupBy(batch, ({ webhook }) => webhook.tenantId)];
      const batches = alike.flatMap(([tenantId, some]) =>
        chunksOf(some, deliveriesPerBatch).map((few) => ({ tenantId, deliveries: few.map(messageOf) })),
      );
      const Records = batches.map((batch, i) => ({ messageId: String(i), body: JSON.stringify(batch) }));
      const answer = await handle({ Records } as unknown as SQSEvent, context);
      deepStrictEqual(answer, { batchItemFailures: [] });
    }
  };
}

function messageOf({ webhook, number }: Planned): DeliveryRef {
  return { tenantId: webhook.tenantId, keyId: webhook.keyId, webhookId: webhook.id, number, attempt: 1, dueAt: 0 };
}

export const ours = fromQueue(handler);

export function naiveBody({ webhook, event, number }: Planned): string {
  return eventBody({ ...event, eventId: event.id, deliveryId: deliveryId(webhook.id, number), event: event.name });
}

/** The naive handler reads the webhook and its secret, sends the request, and writes the record and the webhook. */
async function deliverNaively(planned: Planned): Promise<void> {
  const { pk, sk } = planned.webhook;
  const webhook = (await dynamo().send(new GetCommand({ TableName: tableName('deliveries'), Key: { pk, sk } })))
    .Item as WebhookItem;
  const { Item: signing } = await dynamo().send(
    new GetCommand({ TableName: tableName('secrets'), Key: secrets.signing(webhook.id) }),
  );
  const id = deliveryId(webhook.id, planned.number);
  const body = naiveBody(planned);
  const sentAt = now();
  const { name: event } = planned.event;
  const response = await fetch(webhook.targetUrl, {
    method: 'POST',
    headers: signedHeaders({ mode: 'live', secret: signing?.secret, deliveryId: id, event, body, sentAt }),
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
  });
  const responseBody = await response.text();
  await put('deliveries', {
    ...deliveries.record(webhook.id, planned.number),
    id: planned.number,
    event,
    deliveryId: id,
    responseStatusCode: response.status,
    responseTimeMs: now() - sentAt,
    deliveryStatus: response.ok ? 'success' : 'failed',
    attemptNumber: 1,
    responseBody,
    createdAt: timestamp(sentAt),
  });
  await dynamo().send(
    new UpdateCommand({
      TableName: tableName('deliveries'),
      Key: { pk, sk },
      UpdateExpression: 'SET lastTriggeredAt = :at, consecutiveFailures = :zero',
      ExpressionAttributeValues: { ':at': timestamp(sentAt), ':zero': 0 },
    }),
  );
}

export const naive: Contender = async (planned) => {
  for (const one of planned) await deliverNaively(one);
};

export const naiveTogether: Contender = async (planned, batchSize) => {
  for (const batch of chunksOf(planned, batchSize)) await Promise.all(batch.map(deliverNaively));
};

interface BareLoop {
  /** Sends as many concurrent requests as a batch has, and starts the next one after each response. */
  readonly rolling: Contender;
  /** Sends a batch at a time: the next one starts after the last response of this one, as with a queue. */
  readonly inBatches: Contender;
  close(): Promise<void>;
}

/** Signs and sends over connections that stay open, and stores nothing. */
export function bareLoop(secretOf: ReadonlyMap<number, string>): BareLoop {
  const pools = new Map<string, Pool>();
  const poolOf = (origin: string) => {
    const pool = pools.get(origin) ?? new Pool(origin, { connections: 100 });
    pools.set(origin, pool);
    return pool;
  };
  const sendOne = async (one: Planned) => {
    const { origin, pathname, search } = new URL(one.webhook.targetUrl);
    const { headers, body } = signed(one, secretOf.get(one.webhook.id));
    const response = await poolOf(origin).request({ method: 'POST', path: pathname + search, headers, body });
    await response.body.dump();
    deepStrictEqual(response.statusCode, 200);
  };
  return {
    async rolling(planned, batchSize) {
      await together(planned, batchSize, sendOne);
    },
    async inBatches(planned, batchSize) {
      for (const batch of chunksOf(planned, batchSize)) await Promise.all(batch.map(sendOne));
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}

function signed(one: Planned, secret: string | undefined, body = naiveBody(one)) {
  const id = deliveryId(one.webhook.id, one.number);
  const headers = signedHeaders({
    mode: 'live',
    secret: secret ?? fail(),
    deliveryId: id,
    event: one.event.name,
    body,
    sentAt: now(),
  });
  return { headers, body };
}

/** Our guarded sender and signatures, without the storage. */
export function senderAlone(secretOf: ReadonlyMap<number, string>): Contender {
  return async (planned, batchSize) => {
    for (const batch of chunksOf(planned, batchSize)) {
      await Promise.all(batch.map((one) => guarded(one, signed(one, secretOf.get(one.webhook.id)))));
    }
  };
}

/** Does the same, but first reads the current webhook, record, key and secret, as the production handler does. */
export const readsAndSends: Contender = async (planned, batchSize) => {
  for (const batch of chunksOf(planned, batchSize)) {
    const find = await findForAttempts(batch.map(messageOf));
    await Promise.all(
      batch.map((one) => {
        const { secret, delivery } = find(messageOf(one)) ?? fail();
        return guarded(one, signed(one, secret?.secret, decompressText(delivery.body)));
      }),
    );
  }
};

async function guarded({ webhook }: Planned, { headers, body }: { headers: Record<string, string>; body: string }) {
  const outcome = await send({ url: webhook.targetUrl, headers, body, webhookId: webhook.id });
  deepStrictEqual(outcome.kind === 'response' && outcome.status, 200);
}
