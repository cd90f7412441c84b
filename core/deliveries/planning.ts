/** Which deliveries an event makes, as transactions. Pure: what was read goes in, what to write comes out. */
import { env } from '../env.ts';
import { eventOf, type OutboxItem, type PlannedDelivery } from '../events/event.ts';
import type { Write } from '../records/transact.ts';
import { type WebhookItem, wants } from '../webhooks/webhook.ts';
import { pendingHead } from './records.ts';

/** DynamoDB's limit of one transaction. */
const writesPerTransaction = 100;
/** A webhook costs two writes, its number and the record, and the event one more. */
export const webhooksPerStep = 40;

export interface PlanTransaction {
  readonly writes: readonly Write[];
  /** The events in it, as the outbox holds them after it. */
  readonly after: readonly OutboxItem[];
}

/** A part of an event's planning that is done at once or not at all. */
interface Step {
  readonly item: OutboxItem;
  readonly webhooks: readonly WebhookItem[];
  readonly last: boolean;
}

/** The webhooks for which the event is still to be planned, in the order of their sort keys. */
export function targets(item: OutboxItem, webhooks: readonly WebhookItem[]): readonly WebhookItem[] {
  const from = item.plannedThrough ?? '';
  return webhooks.filter((webhook) => wants(webhook, item.name) && webhook.sk > from);
}

/**
 * Claims each event in the outbox, takes a number of each webhook by compare-and-set, and puts the pending records. An
 * event with more webhooks than a transaction holds is planned in steps, and the outbox notes how far it got.
 * `webhooksOf` gives a business's webhooks whose API key is live. Transactions build on each other: they are committed
 * in order. Events without targets are in none.
 */
export function planTransactions(
  items: readonly OutboxItem[],
  webhooksOf: (businessId: number) => readonly WebhookItem[],
  at: number,
): readonly PlanTransaction[] {
  const lastNumbers = new Map<number, number>();
  const states = new Map<number, OutboxItem>();
  const steps = items.flatMap((item) => stepsOf(item, targets(item, webhooksOf(item.businessId))));
  return [...pack(steps)].map((together) => {
    const before = new Map(lastNumbers);
    const touched = new Map<number, WebhookItem>();
    const eventWrites: Write[] = [];
    const after = new Map<number, OutboxItem>();
    for (const { item, webhooks, last } of together) {
      const planned = webhooks.map((webhook): PlannedDelivery => {
        const number = (lastNumbers.get(webhook.id) ?? webhook.lastNumber) + 1;
        lastNumbers.set(webhook.id, number);
        touched.set(webhook.id, webhook);
        eventWrites.push(headPut(item, webhook, number, at));
        return { keyId: webhook.keyId, webhookId: webhook.id, number };
      });
      const state = states.get(item.id) ?? item;
      const claimed = claim(state, planned, webhooks.at(-1)?.sk ?? '', last);
      eventWrites.push(claimed.write);
      states.set(item.id, claimed.after);
      after.set(item.id, claimed.after);
    }
    const numberWrites = [...touched.values()].map((webhook) =>
      numberUpdate(webhook, before.get(webhook.id) ?? webhook.lastNumber, lastNumbers.get(webhook.id) ?? 0),
    );
    return { writes: [...eventWrites, ...numberWrites], after: [...after.values()] };
  });
}

function stepsOf(item: OutboxItem, webhooks: readonly WebhookItem[]): Step[] {
  const count = Math.ceil(webhooks.length / webhooksPerStep);
  return Array.from({ length: count }, (_, i) => ({
    item,
    webhooks: webhooks.slice(i * webhooksPerStep, (i + 1) * webhooksPerStep),
    last: i === count - 1,
  }));
}

/** Fills transactions with whole steps. A transaction writes an item once, so an event's steps never share one. */
function* pack(steps: readonly Step[]): Generator<readonly Step[]> {
  let together: Step[] = [];
  for (const step of steps) {
    const shared = together.some(({ item }) => item.id === step.item.id);
    if (shared || writesOf([...together, step]) > writesPerTransaction) {
      yield together;
      together = [];
    }
    together.push(step);
  }
  if (together.length > 0) yield together;
}

/** One write an event, one a delivery, and one a webhook, however many of the events it gets. */
function writesOf(steps: readonly Step[]): number {
  const webhooks = steps.flatMap((step) => step.webhooks);
  return steps.length + webhooks.length + new Set(webhooks.map(({ id }) => id)).size;
}

function claim(item: OutboxItem, planned: readonly PlannedDelivery[], through: string, last: boolean) {
  const previous = item.plannedThrough;
  const after: OutboxItem = {
    ...item,
    planned: [...(item.planned ?? []), ...planned],
    plannedThrough: through,
    ...(last && { allPlanned: true as const }),
  };
  const write: Write = {
    Update: {
      TableName: env.table('records'),
      Key: { pk: item.pk, sk: item.sk },
      UpdateExpression: `SET planned = :planned, plannedThrough = :through${last ? ', allPlanned = :last' : ''}`,
      ConditionExpression:
        previous === undefined
          ? 'attribute_exists(pk) AND attribute_not_exists(plannedThrough)'
          : 'plannedThrough = :previous',
      ExpressionAttributeValues: {
        ':planned': after.planned,
        ':through': through,
        ...(last && { ':last': true }),
        ...(previous !== undefined && { ':previous': previous }),
      },
    },
  };
  return { after, write };
}

function headPut(item: OutboxItem, webhook: WebhookItem, number: number, at: number): Write {
  return {
    Put: {
      TableName: env.table('deliveries'),
      Item: pendingHead(eventOf(item), webhook, number, at),
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/** The compare-and-set that keeps a webhook's record numbers dense. */
function numberUpdate(webhook: WebhookItem, before: number, after: number): Write {
  return {
    Update: {
      TableName: env.table('deliveries'),
      Key: { pk: webhook.pk, sk: webhook.sk },
      UpdateExpression: 'SET lastNumber = :after',
      ConditionExpression: 'lastNumber = :before AND #status = :active',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':after': after, ':before': before, ':active': 'active' },
    },
  };
}
