/**
 * Messages of the queue `events`: references to events, either from the bus or with the progress of creating their
 * deliveries. Unknown fields are ignored, and an unknown progress means the beginning, which repeats steps and skips
 * none.
 */
import * as z from 'zod/mini';
import { chunksOf } from '../../chunks.ts';
import type { EventFailure } from '../../events/outbox.ts';
import { type QueueMessage, sendEach } from '../../queue/send-each.ts';
import type { EventPosition } from '../../table-keys.ts';

const count = z.int().check(z.positive());

/** The only fields of a bus message that are used; the events themselves are in the outbox. */
const eventRef = z.object({ id: count, shard: z.int().check(z.nonnegative()), tenantId: count });
const cursor = z.object({ keyId: count, webhookId: count });
const envelope = z.object({
  'detail-type': z.string(),
  detail: z.object({ events: z.array(eventRef).check(z.minLength(1)), after: z.optional(cursor) }),
});

/** The position of a webhook in the list of its business, which is sorted by key and id. */
type WebhookCursor = z.infer<typeof cursor>;

export interface EventToPlan extends EventPosition {
  readonly tenantId: number;
  readonly name: string;
  /** The last webhook for which the event has been planned. Absent at the beginning. */
  readonly after?: WebhookCursor | undefined;
}

/** The events in a message of the queue `events`. Throws for anything else. */
export function parseEventMessage(body: string): readonly EventToPlan[] {
  const { 'detail-type': name, detail } = z.parse(envelope, JSON.parse(body));
  const { events, after } = detail;
  return events.map((event) => ({ ...event, name, after }));
}

/** Events that are planned together. If a call is interrupted, the chunks before stay finished. */
export const eventsTogether = 25;

/**
 * Each event once, with the furthest position of all messages: a message has a position only when planning is finished
 * up to there.
 */
export function oncePerEvent(events: readonly EventToPlan[]): readonly EventToPlan[] {
  const inOrder = events.toSorted(
    ({ after: a }, { after: b }) => (a?.keyId ?? 0) - (b?.keyId ?? 0) || (a?.webhookId ?? 0) - (b?.webhookId ?? 0),
  );
  return [...new Map(inOrder.map((event) => [event.id, event])).values()];
}

/** The page of webhooks for which an event is to be planned: the business and the position. */
export function pageOf({ tenantId, after }: EventToPlan): string {
  return after ? `${tenantId} after ${after.keyId} ${after.webhookId}` : `${tenantId}`;
}

/**
 * The events in chunks that are planned one after the other. A few events of each business come first, then the next
 * few, and so on; businesses with the fewest events come first. So a business with many events does not delay the
 * others. Within a chunk, all events of a business have the same page of webhooks, so that no webhook is planned twice.
 */
export function chunksInOrder(events: readonly EventToPlan[]): readonly (readonly EventToPlan[])[] {
  const inOrder = events.toSorted((a, b) => a.id - b.id);
  const shares = [...Map.groupBy(inOrder, ({ tenantId }) => tenantId).values()].flatMap((own) => {
    const pages = [...Map.groupBy(own, pageOf).values()];
    return pages.flatMap((some) => chunksOf(some, eventsTogether)).map((share, round) => ({ share, round }));
  });
  const fewestFirst = shares.toSorted((a, b) => a.round - b.round || a.share.length - b.share.length);
  const rounds = [...Map.groupBy(fewestFirst, ({ round }) => round).values()];
  return rounds.map((some) => some.flatMap(({ share }) => share)).flatMap((some) => chunksOf(some, eventsTogether));
}

/**
 * Sends the remaining events to the next run, in messages with their business as message group. Returns the events that
 * the queue did not accept.
 */
export async function continueLater(events: readonly EventToPlan[]): Promise<readonly EventFailure[]> {
  const alike = Map.groupBy(events, (event) => `${pageOf(event)} ${event.name}`);
  const together = [...alike.values()].flatMap((some) => chunksOf(some, eventsTogether));
  const sent = await sendEach('events', together.map(messageOf));
  return together
    .filter((_, i) => !sent[i])
    .flat()
    .map(({ id }) => ({
      id,
      error: new Error(`The queue refused the message that continues the deliveries of event ${id}`),
    }));
}

function messageOf(alike: readonly EventToPlan[]): QueueMessage {
  const [one] = alike;
  if (!one) throw new Error('A message contains no event');
  const { tenantId, name, after } = one;
  const events = alike.map(({ id, shard }) => ({ id, shard, tenantId }));
  return { body: { 'detail-type': name, detail: { events, after } }, tenantId, delaySeconds: 0 };
}
