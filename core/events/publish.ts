/** Events to the bus. `PutEvents` answers 200 also when it took only some, so each entry's answer is looked at. */
import { PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { eventSource } from '../../contract/event-bus.ts';
import { eventBridge } from '../clients.ts';
import { randomFraction, sleep } from '../clock.ts';
import { env } from '../env.ts';
import { log } from '../log.ts';
import type { Event } from './event.ts';

/** Limit of one `PutEvents` request (Amazon EventBridge user guide, "Sending events with PutEvents"). */
const entriesPerRequest = 10;

const rounds = 4;
const firstPauseMs = 50;

/** Publishes the events, in order, and returns those that were not taken in the end. */
export async function publish(events: readonly Event[]): Promise<readonly Event[]> {
  const refused: Event[] = [];
  for (const chunk of chunks(events)) refused.push(...(await publishChunk(chunk)));
  return refused;
}

interface Published {
  readonly event: Event;
  readonly entry: PutEventsRequestEntry;
}

/** Each chunk fits one request: entries are small, whatever the events hold. */
export function* chunks(events: readonly Event[]): Generator<readonly Published[]> {
  for (let from = 0; from < events.length; from += entriesPerRequest) {
    yield events.slice(from, from + entriesPerRequest).map((event) => ({ event, entry: entryOf(event) }));
  }
}

/**
 * The bus carries that something happened, not what: the content stays in the outbox, where planning reads it. So no
 * queue and no dead-letter queue ever holds a client's name or phone (design §7).
 */
function entryOf({ id, businessId, name, occurredAt }: Event): PutEventsRequestEntry {
  return {
    EventBusName: env.eventBus(),
    Source: eventSource,
    DetailType: name,
    Detail: JSON.stringify({ id, businessId, name, occurredAt }),
    Time: new Date(occurredAt),
  };
}

async function publishChunk(chunk: readonly Published[]): Promise<readonly Event[]> {
  let left = chunk;
  for (let round = 1; ; round++) {
    left = await put(left);
    if (left.length === 0 || round === rounds) return left.map(({ event }) => event);
    await sleep(randomFraction() * firstPauseMs * 2 ** round);
  }
}

/** One request; returns what it did not take. */
async function put(entries: readonly Published[]): Promise<readonly Published[]> {
  try {
    const { FailedEntryCount, Entries } = await eventBridge().send(
      new PutEventsCommand({ Entries: entries.map(({ entry }) => entry) }),
    );
    if (!FailedEntryCount) return [];
    const left = entries.filter((_, i) => Entries?.[i]?.EventId === undefined);
    log.warn('The bus took some events only', {
      refused: left.map(({ event }) => event.id),
      reasons: [...new Set(Entries?.flatMap(({ ErrorCode }) => ErrorCode ?? []))],
    });
    return left;
  } catch (error) {
    log.warn('The bus took no events', { error, refused: entries.map(({ event }) => event.id) });
    return entries;
  }
}
