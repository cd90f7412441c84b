/** Events to the bus. `PutEvents` answers 200 also when it took only some, so each entry's answer is looked at. */
import { PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { eventSource } from '../../contract/event-bus.ts';
import { eventBridge } from '../clients.ts';
import { randomFraction, sleep } from '../clock.ts';
import { env } from '../env.ts';
import { log } from '../log.ts';
import type { Event } from './event.ts';

/** Limits of one `PutEvents` request (Amazon EventBridge user guide, "Sending events with PutEvents"). */
const entriesPerRequest = 10;
const bytesPerRequest = 262_144;
const timeFieldBytes = 14;

const rounds = 4;
const firstPauseMs = 50;

/**
 * Publishes the events, in order, and returns those that were not taken in the end. An event that no request could
 * ever carry is logged and counts as taken, because trying it again would hold up those behind it for good.
 */
export async function publish(events: readonly Event[]): Promise<readonly Event[]> {
  const refused: Event[] = [];
  for (const chunk of chunks(events)) refused.push(...(await publishChunk(chunk)));
  return refused;
}

interface Sized {
  readonly event: Event;
  readonly entry: PutEventsRequestEntry;
  readonly bytes: number;
}

/** Each chunk fits one request. */
export function* chunks(events: readonly Event[]): Generator<readonly Sized[]> {
  let chunk: Sized[] = [];
  let total = 0;
  for (const event of events) {
    const sized = size(event);
    if (sized.bytes > bytesPerRequest) {
      log.error('An event is larger than the bus accepts and is not published', { eventId: event.id });
      continue;
    }
    if (chunk.length === entriesPerRequest || total + sized.bytes > bytesPerRequest) {
      yield chunk;
      chunk = [];
      total = 0;
    }
    chunk.push(sized);
    total += sized.bytes;
  }
  if (chunk.length > 0) yield chunk;
}

function size(event: Event): Sized {
  const detail = JSON.stringify(event);
  return {
    event,
    entry: {
      EventBusName: env.eventBus(),
      Source: eventSource,
      DetailType: event.name,
      Detail: detail,
      Time: new Date(event.occurredAt),
    },
    bytes: timeFieldBytes + Buffer.byteLength(eventSource) + Buffer.byteLength(event.name) + Buffer.byteLength(detail),
  };
}

async function publishChunk(chunk: readonly Sized[]): Promise<readonly Event[]> {
  let left = chunk;
  for (let round = 1; ; round++) {
    left = await put(left);
    if (left.length === 0 || round === rounds) return left.map(({ event }) => event);
    await sleep(randomFraction() * firstPauseMs * 2 ** round);
  }
}

/** One request; returns what it did not take. */
async function put(entries: readonly Sized[]): Promise<readonly Sized[]> {
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
