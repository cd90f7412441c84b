/**
 * Publishes events on the bus. `PutEvents` responds with 200 even if it accepted only some entries, so the result of
 * each entry is checked.
 */
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
/** The bytes of an entry beside its detail: the names, which are ASCII like the detail. */
const bytesBesideDetail = 100;
/**
 * How many events an entry contains. The bus charges for each entry of up to 64 KB; this many events need a seventh of
 * that.
 */
const eventsPerEntry = 100;

const retryPolicy: RetryPolicy = { attempts: 4, firstPauseMs: 100 };

/** Publishes the events and returns those that were not accepted after all tries. */
export async function publish(events: readonly EventRef[]): Promise<readonly EventRef[]> {
  const refused: EventRef[] = [];
  for (const request of requestsOf(events)) refused.push(...(await publishEntries(request)));
  return refused;
}

interface Published {
  readonly events: readonly EventRef[];
  readonly entry: PutEventsRequestEntry;
}

/** The entries of each request. All events of one entry have the same name, by which a rule can filter. */
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
 * The bus gets only references; the function `plan-deliveries` reads the data in the outbox. So no queue and no
 * dead-letter queue contains a client's name or phone (docs/rules.md#privacy). The reference contains the id of the
 * request, so that a dead letter can be followed back to it. An operational event is sent with its data, because it
 * contains no personal data and is not looked up.
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

/** Sends one request; returns the entries that it did not accept. */
async function put(entries: readonly Published[]): Promise<readonly Published[]> {
  try {
    const { FailedEntryCount, Entries } = await eventBridge().send(
      new PutEventsCommand({ Entries: entries.map(({ entry }) => entry) }),
    );
    if (!FailedEntryCount) return [];
    const left = entries.filter((_, i) => Entries?.[i]?.EventId === undefined);
    log.warn('The event bus refused some events', {
      refused: idsOf(left),
      reasons: [...new Set(Entries?.flatMap(({ ErrorCode }) => ErrorCode ?? []))],
    });
    return left;
  } catch (error) {
    log.warn('Publishing events to the event bus failed', { error, refused: idsOf(entries) });
    return entries;
  }
}

function idsOf(entries: readonly Published[]): readonly number[] {
  return entries.flatMap(({ events }) => events.map(({ id }) => id));
}
