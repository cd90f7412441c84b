/**
 * Finds deliveries whose message is gone, lost with a queue or stuck in a dead-letter queue, and sends it again.
 *
 * There is no index of open deliveries, because its upkeep would cost every delivery two more writes for the sake of
 * what hardly ever happens. Instead each webhook's log is read once, oldest first: up to `sweptThrough` everything has
 * ended and is never read again (`docs/decisions/sweeping-the-log.md`).
 */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../clients.ts';
import { firstIdAt, now, randomFraction } from '../clock.ts';
import { env } from '../env.ts';
import { log } from '../log.ts';
import type { TimeLeft } from '../queue/consumer.ts';
import type { Key } from '../records/read.ts';
import { deliveries, webhookShards } from '../table-keys.ts';
import type { Registration } from '../webhooks/registration.ts';
import { sendMessages } from './messages.ts';
import { type HeadItem, isOver } from './records.ts';

/** Beyond what queues take to bring back a message that failed a few times. */
export const overdueMs = 30 * 60_000;
/** A number without a record is waited for: its event is still to be planned. After two days it will not come. */
const patienceMs = 48 * 3_600_000;
const registrationsPerPage = 100;
const together = 10;
/** What a webhook's turn takes at most. */
const reserveMs = 20_000;

/** Goes through the webhooks of all businesses, from a random place on, so that no end of the list is always the last. */
export async function sweepDeliveries(_schedule: unknown, time: TimeLeft): Promise<void> {
  const counts = await Promise.all(
    Array.from({ length: webhookShards }, (_, shard) => sweepShard(deliveries.webhookShard(shard), time)),
  );
  const revived = counts.reduce((sum, count) => sum + count, 0);
  if (revived > 0) log.warn('Sent messages again for overdue deliveries', { revived });
}

async function sweepShard(pk: string, time: TimeLeft): Promise<number> {
  const middle = deliveries.registration(Math.floor(randomFraction() * firstIdAt(now()))).sk;
  let revived = 0;
  for (const half of ['sk >= :middle', 'sk < :middle']) {
    let from: Record<string, unknown> | undefined;
    do {
      const page = await dynamo().send(
        new QueryCommand({
          TableName: env.table('deliveries'),
          KeyConditionExpression: `pk = :pk AND ${half}`,
          ExpressionAttributeValues: { ':pk': pk, ':middle': middle },
          Limit: registrationsPerPage,
          ExclusiveStartKey: from,
        }),
      );
      const registrations = (page.Items ?? []) as Registration[];
      for (let i = 0; i < registrations.length; i += together) {
        if (time.getRemainingTimeInMillis() < reserveMs) {
          log.warn('The time for sweeping is over before its end', { shard: pk });
          return revived;
        }
        const some = registrations.slice(i, i + together);
        for (const count of await Promise.all(some.map(sweepWebhook))) revived += count;
      }
      from = page.LastEvaluatedKey;
    } while (from);
  }
  return revived;
}

type Seen = Pick<HeadItem, 'id' | 'createdAt' | 'attempts' | 'dueAt' | 'trigger' | 'deliveryStatus'> &
  Partial<Pick<HeadItem, 'state'>>;

/** Returns how many deliveries were brought back. One webhook's trouble is not another's. */
async function sweepWebhook(registration: Registration): Promise<number> {
  try {
    const at = now();
    const { sweptThrough, overdue, brokenOff } = await look(registration, at);
    await Promise.all(brokenOff.map(({ id }) => endPing(registration.id, id)));
    const due = overdue.filter(({ dueAt }) => isTurn(at - dueAt, at - (registration.revivedAt ?? 0)));
    const { businessId, keyId, id } = registration;
    const sent = await sendMessages(
      'retries',
      due.map(({ id: number, attempts, dueAt }) => ({
        message: { businessId, keyId, webhookId: id, number, attempt: attempts + 1, dueAt },
        delaySeconds: 0,
      })),
    );
    await note(registration, { sweptThrough, ...(due.length > 0 && { revivedAt: at }) });
    return sent.filter(Boolean).length;
  } catch (error) {
    log.error('A webhook could not be swept', { webhookId: registration.id, error });
    return 0;
  }
}

/**
 * Whether a delivery that is overdue for so long is sent again, given how long ago that was last done: at half an hour,
 * an hour, two, four and so on, so that a message which always fails does not fill the dead-letter queue with copies.
 */
export function isTurn(overdueForMs: number, revivedMsAgo: number): boolean {
  const turn = (ms: number) => Math.floor(Math.log2(ms / overdueMs));
  const before = overdueForMs - revivedMsAgo;
  return overdueForMs >= overdueMs && (before < overdueMs || turn(before) < turn(overdueForMs));
}

/** Reads on where the last run stopped, as far as records are old enough to be overdue. */
async function look({ id, sweptThrough: from }: Registration, at: number) {
  const overdue: Seen[] = [];
  const brokenOff: Seen[] = [];
  let sweptThrough = from;
  let contiguous = true;
  let start: Record<string, unknown> | undefined;
  do {
    const page = await dynamo().send(
      new QueryCommand({
        TableName: env.table('deliveries'),
        KeyConditionExpression: 'pk = :log AND sk BETWEEN :first AND :last',
        ProjectionExpression: 'id, createdAt, #state, attempts, dueAt, #trigger, deliveryStatus',
        ExpressionAttributeNames: { '#state': 'state', '#trigger': 'trigger' },
        ExpressionAttributeValues: {
          ':log': deliveries.log(id),
          ':first': deliveries.record(id, from + 1).sk,
          ':last': deliveries.record(id, Number.MAX_SAFE_INTEGER).sk,
        },
        ExclusiveStartKey: start,
      }),
    );
    for (const record of (page.Items ?? []) as Seen[]) {
      const age = at - Date.parse(record.createdAt);
      if (age < overdueMs) return { sweptThrough, overdue, brokenOff };
      const open = record.state !== undefined && !isOver(record.state);
      if (open && at - record.dueAt >= overdueMs) overdue.push(record);
      if (record.trigger === 'ping' && record.deliveryStatus === 'pending') brokenOff.push(record);
      contiguous &&= !open && (record.id === sweptThrough + 1 || age > patienceMs);
      if (contiguous) sweptThrough = record.id;
    }
    start = page.LastEvaluatedKey;
  } while (start);
  return { sweptThrough, overdue, brokenOff };
}

/** A ping is made while its caller waits: one that is still pending was broken off with its function. */
function endPing(webhookId: number, number: number): Promise<void> {
  const fields = { deliveryStatus: 'failed', errorMessage: 'The ping was broken off on our side.' };
  return setIf(deliveries.record(webhookId, number), 'deliveryStatus = :pending', { ':pending': 'pending' }, fields);
}

async function note(
  registration: Registration,
  found: Pick<Registration, 'sweptThrough' | 'revivedAt'>,
): Promise<void> {
  if (found.sweptThrough === registration.sweptThrough && found.revivedAt === undefined) return;
  await setIf({ pk: registration.pk, sk: registration.sk }, 'attribute_exists(pk)', {}, found);
}

/** Sets the fields if the condition holds, and does nothing otherwise: the webhook or its record is gone or has changed. */
async function setIf(Key: Key, condition: string, values: object, fields: object): Promise<void> {
  const set = Object.entries(fields);
  try {
    await dynamo().send(
      new UpdateCommand({
        TableName: env.table('deliveries'),
        Key,
        UpdateExpression: `SET ${set.map(([name]) => `${name} = :${name}`).join(', ')}`,
        ConditionExpression: condition,
        ExpressionAttributeValues: {
          ...values,
          ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
        },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
