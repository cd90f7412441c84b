/** The consumer of the queue `erasures`: looks through everything that may contain an erased client. */
import type { ClientItem } from '../bookings/clients.ts';
import { someAtATime } from '../chunks.ts';
import { deleteLog } from '../deliveries/log/delete-log.ts';
import { log } from '../log.ts';
import type { TimeLeft } from '../queue/consumer.ts';
import { getItem } from '../store/read.ts';
import { records } from '../table-keys.ts';
import type { LogDeletion } from '../webhooks/registry/log-deletion.ts';
import { type Erasure, goOnErasing } from './message.ts';
import { type Step, steps } from './steps.ts';
import { walk } from './walk.ts';

/** A page is read and dealt with well within it. */
const reserveMs = 20_000;

/** One promise a message. `all` is all steps but in tests. */
export function erase(
  messages: readonly (Erasure | LogDeletion)[],
  time: TimeLeft,
  all: readonly Step[] = steps,
): readonly Promise<void>[] {
  return messages.map((message) =>
    'webhookId' in message ? deleteLog(message, time) : lookThrough(message, time, all),
  );
}

/**
 * Page after page, and when the time is up a next message goes on: a client of thousands of bookings, or a business of
 * millions of deliveries, takes several runs. Every step finds nothing to do where it has been.
 */
async function lookThrough(message: Erasure, time: TimeLeft, all: readonly Step[]): Promise<void> {
  const { tenantId, clientId, contacts = [], from } = message;
  const client = await getItem<ClientItem>('records', records.client(tenantId, clientId));
  // A reset of the sandbox has deleted the client since, with all traces.
  if (!client) return;
  if (!client.erasedAt) throw new Error('A client who is not erased has no traces to look for');
  const person = { tenantId, clientId, contacts, since: Date.parse(client.createdAt) };
  const next = await walk(person, {
    steps: all,
    from,
    found: (traces) => someAtATime(traces, (trace) => trace.erase()),
    goesOn: () => time.getRemainingTimeInMillis() >= reserveMs,
  });
  if (next) return goOnErasing(message, next);
  log.info('Looked through for an erased client', { clientId, tenantId });
}
