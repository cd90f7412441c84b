/** Gives the demo business of a local run its past: created during the start, and then written to the tables. */
import { once } from 'node:events';
import module from 'node:module';
import { Worker } from 'node:worker_threads';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { stores } from '../../contract/system/needs.ts';
import { queues } from '../../contract/system/queues.ts';
import { delaySecondsUntil } from '../../core/deliveries/model/due-times.ts';
import { adminClientOptions } from '../../packages/local-cloud/src/start-cloud.ts';
import { type Admin, putAll } from '../admin.ts';
import type { LocalRun } from '../start-local.ts';
import type { Past } from './make-past.ts';
import type { PastOptions } from './worker.ts';

type Run = Pick<LocalRun, 'awsEndpoint' | 'adminAccessKeyId' | 'resources'>;

/** Starts immediately. `now` is in milliseconds since the epoch. Rejects with the error of a function. */
export async function pastOf(receiverUrl: string, now: number): Promise<Past> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { receiverUrl, now, compiled: module.getCompileCacheDir() } satisfies PastOptions,
    // As in `bin/launch.mjs`, whose listener the worker does not have.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: {
      AWS_REGION: 'local',
      AWS_ACCESS_KEY_ID: 'none',
      AWS_SECRET_ACCESS_KEY: 'none',
      ALLOW_LOOPBACK_TARGETS: 'true',
      METRICS_NAMESPACE: 'demo',
      // Metrics and logs of the functions are discarded.
      POWERTOOLS_LOG_LEVEL: 'SILENT',
      ...Object.fromEntries(stores.map((store) => [`TABLE_${store.toUpperCase()}`, store])),
      ...Object.fromEntries(Object.keys(queues).map((name) => [`QUEUE_${name.toUpperCase()}`, name])),
    },
  });
  const [past] = (await once(worker, 'message')) as [Past];
  return past;
}

/** Writes the past to the tables and queues of the run, the business last: if it is missing, all is written again. */
export async function putPast(run: Run, admin: Admin, { items, waiting }: Past, now: number): Promise<void> {
  const isBusiness = (item: object) => 'sk' in item && item.sk === 'BUSINESS';
  for (const store of stores)
    await putAll(
      admin,
      store,
      items[store].filter((item) => !isBusiness(item)),
    );
  await putAll(admin, 'records', items.records.filter(isBusiness));
  const sqs = new SQSClient(adminClientOptions(run));
  const QueueUrl = run.resources.queues.retries?.url;
  for (const { ms, body } of waiting) {
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: body, DelaySeconds: delaySecondsUntil(ms, now) }));
  }
  sqs.destroy();
}
