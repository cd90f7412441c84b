/** Gives the demo business of a local run its past. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { stores } from '../../contract/needs.ts';
import { adminClientOptions } from '../cloud/start-cloud.ts';
import type { Tenant } from './demo.ts';
import type { LocalRun } from './start-local.ts';

/** `now` is in milliseconds since the epoch. Throws what a verb threw. */
export async function seedPast(
  run: Pick<LocalRun, 'awsEndpoint' | 'adminAccessKeyId' | 'resources'>,
  tenant: Tenant,
  now: number,
): Promise<void> {
  const { endpoint, region, credentials } = adminClientOptions(run);
  const worker = new Worker(new URL('./demo-past-worker.ts', import.meta.url), {
    workerData: { tenant, now },
    // What the verbs count and log is said to nobody.
    stdout: true,
    stderr: true,
    env: {
      METRICS_NAMESPACE: 'demo',
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      ...Object.fromEntries(stores.map((store) => [`TABLE_${store.toUpperCase()}`, run.resources.tables[store]])),
    },
  });
  await once(worker, 'exit');
}
