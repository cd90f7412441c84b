/** Events to the bus. `PutEvents` answers 200 also when it took only some, so each entry's answer is looked at. */
import { PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { eventSource } from '../../contract/system/event-bus.ts';
import { causedBy } from '../cause.ts';
import { chunksOf } from '../chunks.ts';
import { eventBridge } from '../clients.ts';
import { env } from '../env.ts';
import { log } from '../log.ts';
import { RETRY, type RetryPolicy, retrying } from '../retrying.ts';
import type { EventRef } from './event.ts';

/** Limits of one `PutEvents` request (Amazon EventBridge user guide, "Calculating PutEvents event entry size"). */
const entriesPerRequest = 10;
const bytesPerRequest = 256 * 1_024;
/** Of an entry beside its detail: the names, all in ASCII as the detail is, too. */
const bytesBesideDetail = 100;
/** The bus and what follows it are paid by the entry, of up to 64 KB; so many events take a seventh of that. */
const eventsPerEntry = 100;

const retryPolicy: RetryPolicy = { attempts: 4, firstPauseMs: 100 };

/** Publishes the events and returns those that were not taken in the end. */
export async function publish(events: readonly EventRef[]): Promise<readonly EventRef[]> {
  const refused: EventRef[] = [];
  for (const request of requestsOf(events)) refused.push(...(await publishEntries(request)));
  return refused;
}

interface Published {
  readonly events: readonly EventRef[];
  readonly entry: PutEventsRequestEntry;
}

/** The entries of one request each. Those of one entry have one name, which the rules of a bus can ask for. */
export function requestsOf(events: readonly EventRef[]): readonly (readonly Published[])[] {
  const alike = [...Map.groupBy(events, ({ name }) => name)];
  const entries = alike.flatMap(([name, some]) =>
    chunksOf(some, eventsPerEntry).map((chunk) => ({ events: chunk, entry: entryOf(name, chunk) })),
  );
  const requests: Published[][] = [];
  let bytes = 0;
  for (const one of entries) {
    const size = (one.entry.Detail?.length ?? 0) + bytesBesideDetail;
    const last = requests.at(-1);
    bytes += size;
    if (last && last.length < entriesPerRequest && bytes < bytesPerRequest) last.push(one);
    else {
      requests.push([one]);
      bytes = size;
    }
  }
  return requests;
}

/**
 * The bus carries that something happened, not what: the content stays in the outbox, where planning reads it. So no
 * queue and no dead-letter queue ever holds a client's name or phone (docs/rules.md#privacy). The id of the request goes
 * along: a dead letter can be followed back to it. An operational event names no person, and nobody else looks it up.
 */
function entryOf(name: EventRef['name'], events: readonly EventRef[]): PutEventsRequestEntry {
  const happened = events.map(({ id, shard, tenantId, occurredAt, requestId, data }) => {
    return { id, shard, tenantId, occurredAt, ...causedBy(requestId), ...(data && { data }) };
  });
  return {
    EventBusName: env.eventBus(),
    Source: eventSource,
    DetailType: name,
    Detail: JSON.stringify({ events: happened }),
  };
}

async function publishEntries(entries: readonly Published[]): Promise<readonly EventRef[]> {
  let left = entries;
  await retrying(retryPolicy, async () => {
    left = await put(left);
    return left.length > 0 ? RETRY : 'published';
  });
  return left.flatMap(({ events }) => events);
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
      refused: idsOf(left),
      reasons: [...new Set(Entries?.flatMap(({ ErrorCode }) => ErrorCode ?? []))],
    });
    return left;
  } catch (error) {
    log.warn('The bus took no events', { error, refused: idsOf(entries) });
    return entries;
  }
}

function idsOf(entries: readonly Published[]): readonly number[] {
  return entries.flatMap(({ events }) => events.map(({ id }) => id));
}
