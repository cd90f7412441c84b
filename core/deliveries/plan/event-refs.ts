/**
 * Messages of the queue `events`: that something happened, as the bus tells it, or how far its plan has come. Read loosely,
 * and a place that is not understood means from the beginning, which repeats steps and skips none.
 */
import * as z from 'zod/mini';
import { chunksOf } from '../../chunks.ts';
import { type QueueMessage, sendEach } from '../../queue/send-each.ts';
import type { EventPosition } from '../../table-keys.ts';

const count = z.int().check(z.positive());

/** Of what the bus delivers only this is used: the outbox holds the events. */
const notice = z.object({ id: count, shard: z.int().check(z.nonnegative()), tenantId: count });
const place = z.object({ keyId: count, webhookId: count });
const envelope = z.object({
  'detail-type': z.string(),
  detail: z.object({ events: z.array(notice).check(z.minLength(1)), after: z.optional(place) }),
});

/** A webhook in the list of its business, which is in the order of keys and ids. */
export type Place = z.infer<typeof place>;

/** An event that is to be planned. */
export interface EventToPlan extends EventPosition {
  readonly tenantId: number;
  readonly name: string;
  /** The webhooks up to this one have their deliveries. Absent at the beginning. */
  readonly after?: Place | undefined;
}

/** The events in a message of the queue `events`. Throws for anything else. */
export function parseEventMessage(body: string): readonly EventToPlan[] {
  const { 'detail-type': name, detail } = z.parse(envelope, JSON.parse(body));
  return detail.events.map((event) => ({ ...event, name, after: detail.after }));
}

/** Events that are planned together. What a call has done is done when it breaks off. */
export const eventsTogether = 25;

/**
 * Each event once, from the furthest place that a message names: a message goes on from there only because all before it
 * is done.
 */
export function furthest(events: readonly EventToPlan[]): readonly EventToPlan[] {
  const inOrder = events.toSorted(
    ({ after: a }, { after: b }) => (a?.keyId ?? 0) - (b?.keyId ?? 0) || (a?.webhookId ?? 0) - (b?.webhookId ?? 0),
  );
  return [...new Map(inOrder.map((event) => [event.id, event])).values()];
}

/** Which webhooks it is to be planned for: of whom, and from where. */
export function pageOf({ tenantId, after }: EventToPlan): string {
  return `${tenantId} ${after?.keyId} ${after?.webhookId}`;
}

/**
 * The events in portions that are planned one after the other. Of each business the first few come before the next few of
 * any, and among those the business with the fewest: nobody's plan waits for a flood of somebody else. In one portion
 * a business is at one place, so that none of its webhooks is met twice.
 */
export function chunksInOrder(events: readonly EventToPlan[]): readonly (readonly EventToPlan[])[] {
  const byBusiness = Map.groupBy(
    events.toSorted((a, b) => a.id - b.id),
    ({ tenantId }) => tenantId,
  );
  const turns = [...byBusiness.values()].flatMap((own) =>
    [...Map.groupBy(own, pageOf).values()]
      .flatMap((some) => chunksOf(some, eventsTogether))
      .map((some, turn) => ({ some, turn })),
  );
  const fewestFirst = turns.toSorted((a, b) => a.some.length - b.some.length);
  return [...Map.groupBy(fewestFirst, ({ turn }) => turn)]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([, some]) =>
      chunksOf(
        some.flatMap((one) => one.some),
        eventsTogether,
      ),
    );
}

/** Hands the rest of plans to the next run, in messages of their business's group. Returns the events the queue took. */
export async function continueLater(events: readonly EventToPlan[]): Promise<ReadonlySet<EventToPlan>> {
  const alike = Map.groupBy(events, (event) => `${pageOf(event)} ${event.name}`);
  const together = [...alike.values()].flatMap((some) => chunksOf(some, eventsTogether));
  const taken = await sendEach('events', together.map(messageOf));
  return new Set(together.filter((_, i) => taken[i]).flat());
}

function messageOf(alike: readonly EventToPlan[]): QueueMessage {
  const [first] = alike;
  if (!first) throw new Error('A message tells of at least one event');
  const { tenantId, name, after } = first;
  const events = alike.map(({ id, shard }) => ({ id, shard, tenantId }));
  return { body: { 'detail-type': name, detail: { events, after } }, tenantId, delaySeconds: 0 };
}
