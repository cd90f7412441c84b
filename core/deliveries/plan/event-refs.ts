/**
 * Messages of the queue `events`: references to events, as the bus carries them, or with how far their plan has come. They
 * are read loosely, and a cursor that is not understood means from the beginning, which repeats steps and skips none.
 */
import * as z from 'zod/mini';
import { chunksOf } from '../../chunks.ts';
import type { EventFailure } from '../../events/outbox.ts';
import { type QueueMessage, sendEach } from '../../queue/send-each.ts';
import type { EventPosition } from '../../table-keys.ts';

const count = z.int().check(z.positive());

/** Of what the bus delivers only this is used: the outbox holds the events. */
const eventRef = z.object({ id: count, shard: z.int().check(z.nonnegative()), tenantId: count });
const cursor = z.object({ keyId: count, webhookId: count });
const envelope = z.object({
  'detail-type': z.string(),
  detail: z.object({
    events: z.array(eventRef).check(z.minLength(1)),
    after: z.optional(cursor),
    first: z.optional(cursor),
  }),
});

/** A webhook in the list of its business, which is in the order of keys and ids. */
type WebhookCursor = z.infer<typeof cursor>;

/** An event that is to be planned. */
export interface EventToPlan extends EventPosition {
  readonly tenantId: number;
  readonly name: string;
  /** The webhooks up to this one have their deliveries. Absent at the beginning. */
  readonly after?: WebhookCursor | undefined;
  /** The first webhook of the business, which keeps its sending budget. Absent at the beginning. */
  readonly first?: WebhookCursor | undefined;
}

/** The events in a message of the queue `events`. Throws for anything else. */
export function parseEventMessage(body: string): readonly EventToPlan[] {
  const { 'detail-type': name, detail } = z.parse(envelope, JSON.parse(body));
  const { events, after, first } = detail;
  return events.map((event) => ({ ...event, name, after, first }));
}

/** Events that are planned together. What a call has done is done when it breaks off. */
export const eventsTogether = 25;

/**
 * Each event once, from the furthest cursor that a message has: a message goes on from there only because all before it
 * is done.
 */
export function furthest(events: readonly EventToPlan[]): readonly EventToPlan[] {
  const inOrder = events.toSorted(
    ({ after: a }, { after: b }) => (a?.keyId ?? 0) - (b?.keyId ?? 0) || (a?.webhookId ?? 0) - (b?.webhookId ?? 0),
  );
  return [...new Map(inOrder.map((event) => [event.id, event])).values()];
}

/** The page of webhooks that it is to be planned for: of which business, and from where on. */
export function pageOf({ tenantId, after }: EventToPlan): string {
  return after ? `${tenantId} after ${after.keyId} ${after.webhookId}` : `${tenantId}`;
}

/**
 * The events in chunks that are planned one after the other. Of each business the first few come before the next few of
 * any, and among those the business with the fewest: no plan waits for another business's flood. Within one chunk a
 * business is at one page, so that none of its webhooks is met twice.
 */
export function chunksInOrder(events: readonly EventToPlan[]): readonly (readonly EventToPlan[])[] {
  const byBusiness = Map.groupBy(
    events.toSorted((a, b) => a.id - b.id),
    ({ tenantId }) => tenantId,
  );
  const shares = [...byBusiness.values()].flatMap((own) =>
    [...Map.groupBy(own, pageOf).values()]
      .flatMap((some) => chunksOf(some, eventsTogether))
      .map((share, round) => ({ share, round })),
  );
  const fewestFirst = shares.toSorted((a, b) => a.share.length - b.share.length);
  return [...Map.groupBy(fewestFirst, ({ round }) => round)]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([, some]) =>
      chunksOf(
        some.flatMap(({ share }) => share),
        eventsTogether,
      ),
    );
}

/** Hands the rest of plans to the next run, in messages of their business's group. Returns what the queue did not take. */
export async function continueLater(events: readonly EventToPlan[]): Promise<readonly EventFailure[]> {
  const alike = Map.groupBy(events, (event) => `${pageOf(event)} ${event.name}`);
  const together = [...alike.values()].flatMap((some) => chunksOf(some, eventsTogether));
  const taken = await sendEach('events', together.map(messageOf));
  return together
    .filter((_, i) => !taken[i])
    .flat()
    .map(({ id }) => ({ id, error: new Error(`The plan of event ${id} does not go on`) }));
}

function messageOf(alike: readonly EventToPlan[]): QueueMessage {
  const [one] = alike;
  if (!one) throw new Error('A message names at least one event');
  const { tenantId, name, after, first } = one;
  const events = alike.map(({ id, shard }) => ({ id, shard, tenantId }));
  return { body: { 'detail-type': name, detail: { events, after, first } }, tenantId, delaySeconds: 0 };
}
