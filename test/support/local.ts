/** The fixture of the journeys: the whole system from its templates, and a receiver that records deliveries. */
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import type { EventName } from '../../contract/events.ts';
import { integrationPrefix } from '../../contract/integration/api.ts';
import type { WebhookWithSecret } from '../../contract/integration/resources.ts';
import type { Admin } from '../../local/admin.ts';
import { adminOf } from '../../local/admin.ts';
import { callJson, type JsonResponse } from '../../local/call-json.ts';
import type { Tenant } from '../../local/demo.ts';
import { firstFreeStart } from '../../local/first-free-start.ts';
import { createBusiness, createKey, type NewKey, type SeededKey } from '../../local/seed.ts';
import { type LocalOptions, type LocalRun, startLocal } from '../../local/start-local.ts';
import { openReceiver, type ReceivedDelivery } from '../../local/webhook-receiver.ts';
import { adminClientOptions } from '../../packages/local-cloud/src/start-cloud.ts';
import { sharedAssembly } from './assembly.ts';

export interface LocalSystem {
  readonly run: LocalRun;
  readonly admin: Admin;
}

/** A block of tests that share one local run: `test/journeys/one-run.test.ts`. */
export type Journeys = (local: () => LocalSystem) => void;

/** How much of the system's log a failed test shows. */
const shownLogLines = 40;

/**
 * Starts the system before the tests of the file and stops it after them. `const local = withLocal()` at the top, then
 * `local()` inside the tests. Each test creates its own tenant with `newTenant`, so that tests stay independent.
 */
export function withLocal(options: LocalOptions = {}): () => LocalSystem {
  let system: LocalSystem | undefined;
  beforeAll(async () => {
    const run = await startLocal({ port: 0, assemblyDir: await sharedAssembly(), ...options });
    system = { run, admin: adminOf(run) };
  });
  beforeEach(({ onTestFailed }) => {
    onTestFailed(() => {
      const lines = system?.run.log.lines.slice(-shownLogLines) ?? [];
      process.stderr.write(lines.map(({ functionName, text }) => `${functionName || 'local'}: ${text}\n`).join(''));
    });
  });
  afterAll(async () => {
    system?.admin.db.destroy();
    await system?.run.stop();
  });
  return () => {
    if (!system) throw new Error('The local run has not started: call this inside a test.');
    return system;
  };
}

/** A business of one test, with calls of its integrator. */
export interface TestTenant extends Tenant {
  readonly key: SeededKey;
  newKey(options?: Omit<NewKey, 'tenantId'>): Promise<SeededKey>;
  /** `call('POST', '/bookings', body)` uses the tenant's key or another one. */
  call<T = unknown>(method: string, path: string, body?: unknown, key?: SeededKey): Promise<JsonResponse<T>>;
  /** A body of `POST /bookings` that fits the demo schedule. */
  booking(): { serviceId: number; startTime: string; client: { name: string; email: string } };
  /** Creates a webhook, and fails the test if the API refuses it. */
  subscribe(targetUrl: string, events: readonly EventName[], key?: SeededKey): Promise<WebhookWithSecret>;
}

export async function newTenant({ run, admin }: LocalSystem): Promise<TestTenant> {
  const tenant = await createBusiness(admin);
  const tenantId = tenant.business.id;
  const key = await createKey(admin, { tenantId });

  const call = <T>(method: string, path: string, body?: unknown, by = key) =>
    callJson<T>(method, `${run.baseUrl}${integrationPrefix}${path}`, { headers: { 'X-API-Key': by.value }, body });

  return {
    ...tenant,
    key,
    call,
    newKey: (options) => createKey(admin, { ...options, tenantId }),
    booking: () => {
      const serviceId = tenant.services[0]?.id ?? 0;
      // On Saturdays only one staff member works. When the first one works, a second booking of the start finds another.
      const startTime = firstFreeStart({ ...tenant, staff: tenant.staff.slice(0, 1) }, serviceId, [], Date.now());
      if (!startTime) throw new Error('The demo schedule has no free start.');
      return { serviceId, startTime, client: { name: 'Jānis Bērziņš', email: 'janis@example.com' } };
    },
    subscribe: async (targetUrl, events, by) => {
      const { status, body } = await call<WebhookWithSecret>('POST', '/webhooks', { targetUrl, events }, by);
      if (status !== 201) throw new Error(`POST /webhooks answered ${status}: ${JSON.stringify(body)}`);
      return body;
    },
  };
}

export interface TestReceiver {
  readonly url: string;
  /** The deliveries that have arrived, in order. */
  readonly deliveries: readonly ReceivedDelivery[];
  /** Checks signatures with this secret from now on. */
  trust(secret: string): void;
  /**
   * Resolves as soon as the predicate holds for the deliveries, without polling. Rejects at the deadline and lists the
   * deliveries.
   */
  waitFor(
    predicate: (deliveries: readonly ReceivedDelivery[]) => boolean,
    withinMs?: number,
  ): Promise<readonly ReceivedDelivery[]>;
}

/** Opens a receiver on a free port for the running test and closes it when the test ends. */
export async function startReceiver({ fail = 0 } = {}): Promise<TestReceiver> {
  const deliveries: ReceivedDelivery[] = [];
  const waiting = new Set<() => void>();
  const receiver = await openReceiver({
    port: 0,
    fail,
    onDelivery: (delivery) => {
      deliveries.push(delivery);
      for (const look of waiting) look();
    },
  });
  onTestFinished(() => receiver.close());

  return {
    url: `${receiver.url}/hooks`,
    deliveries,
    trust: receiver.trust,
    waitFor: (predicate, withinMs = 60_000) =>
      new Promise((resolve, reject) => {
        const done = () => {
          waiting.delete(look);
          clearTimeout(deadline);
        };
        const look = () => {
          if (!predicate(deliveries)) return;
          done();
          resolve(deliveries);
        };
        const deadline = setTimeout(() => {
          done();
          const arrived = deliveries.map(
            ({ event, attempt, responseStatus }) => `${event} attempt ${attempt}: ${responseStatus}`,
          );
          reject(new Error(`Not within ${withinMs} ms. Arrived: ${arrived.join(', ') || 'nothing'}.`));
        }, withinMs);
        waiting.add(look);
        look();
      }),
  };
}

/** The messages in all queues and dead-letter queues, which stay visible to their consumers. */
export async function queuedMessages({ run }: LocalSystem): Promise<string[]> {
  const sqs = new SQSClient(adminClientOptions(run));
  onTestFinished(() => sqs.destroy());
  const urls = Object.values(run.resources.queues).flatMap(({ url, deadLetterQueue }) => [url, deadLetterQueue?.url]);
  const received = urls.map((QueueUrl) =>
    sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 })),
  );
  return (await Promise.all(received)).flatMap(({ Messages = [] }) => Messages.map(({ Body = '' }) => Body));
}

/** The date that many days from now. */
export const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
