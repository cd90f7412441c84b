/** The consumer of the queue `erasures`: searches all items that may contain data of an erased client. */
import type { ClientItem } from '../bookings/clients.ts';
import { forEachConcurrently } from '../chunks.ts';
import { deleteLog } from '../deliveries/log/delete-log.ts';
import { log } from '../log.ts';
import type { TimeLeft } from '../queue/consumer.ts';
import { getItem } from '../store/read.ts';
import { REMOVE, set, writeOne } from '../store/write.ts';
import { records } from '../table-keys.ts';
import type { LogDeletion } from '../webhooks/registry/log-deletion.ts';
import { type Erasure, goOnErasing } from './message.ts';
import { type Step, steps } from './steps.ts';
import { walk } from './walk.ts';

/** Enough time to read and change a page. */
const reserveMs = 20_000;

/** Returns one promise for each message. Only tests pass `all`, the steps to take. */
export function erase(
  messages: readonly (Erasure | LogDeletion)[],
  time: TimeLeft,
  all: readonly Step[] = steps,
): readonly Promise<void>[] {
  return messages.map((message) =>
    'webhookId' in message ? deleteLog(message, time) : eraseTraces(message, time, all),
  );
}

/**
 * Handles one page after the other. When the time is up, another message continues: a client with thousands of
 * bookings, or a business with millions of deliveries, needs several runs. A repeated step finds nothing to change.
 */
async function eraseTraces(message: Erasure, time: TimeLeft, all: readonly Step[]): Promise<void> {
  const { tenantId, clientId, contacts = [], cancelBookings, isLast, from } = message;
  const key = records.client(tenantId, clientId);
  const client = await getItem<ClientItem>('records', key);
  // A reset of the sandbox has deleted the client with all data.
  if (!client) return;
  if (!client.erasedAt) throw new Error('A queue message asks to erase a client whose erasure no owner requested');
  const person = { tenantId, clientId, contacts, cancelBookings, since: Date.parse(client.createdAt) };
  const next = await walk(person, {
    steps: all,
    from,
    found: (traces) => forEachConcurrently(traces, (trace) => trace.erase()),
    goesOn: () => time.getRemainingTimeInMillis() >= reserveMs,
  });
  if (next) return goOnErasing(message, next);
  // Only now: if messages are lost, a repeated erasure request needs the hashes.
  if (isLast) await writeOne(set('records', key, { contactHashes: REMOVE }));
  log.info('Searched for data of an erased client', { clientId, tenantId });
}
