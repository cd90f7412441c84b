/** The SQS emulator: fauxqs in this process, without a port of its own, and with limits that it does not enforce. */
import { type BuildAppOptions, buildApp } from 'fauxqs';
import { arn, localRegion } from './arn.ts';
import { AwsError } from './aws-error.ts';
import type { Body } from './aws-permissions.ts';

export interface QueueEmulator {
  /** Returns the body of the response, or throws an AwsError. */
  call(operation: string, body: Body): Promise<Record<string, unknown>>;
  /** Creates the queue, or sets the attributes of an existing one. */
  createQueue(name: string, attributes: Record<string, string>): Promise<void>;
  /** Ends the waiting long polls. */
  releaseWaiters(): void;
  stop(): Promise<void>;
}

const delaySecondsMax = 900;

export async function startQueueEmulator(dataDir: string | undefined): Promise<QueueEmulator> {
  const { sqsStore, persistence, app } = await build(dataDir);

  async function call(operation: string, body: Body): Promise<Record<string, unknown>> {
    const answer = await app.inject({
      method: 'POST',
      url: '/',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `AmazonSQS.${operation}`,
        host: 'local',
      },
      payload: JSON.stringify(body),
    });
    const result = answer.body === '' ? {} : (JSON.parse(answer.body) as Record<string, unknown>);
    if (answer.statusCode === 200) return result;
    throw new AwsError(
      String(result.__type).split('#').at(-1) ?? 'InternalError',
      String(result.message),
      answer.statusCode,
    );
  }

  return {
    async call(operation, body) {
      if (operation === 'SendMessage') {
        checkDelay(body);
        return call(operation, body);
      }
      return operation === 'SendMessageBatch' ? sendBatch(call, body) : call(operation, body);
    },
    async createQueue(name, attributes) {
      const stored = sqsStore.getQueueByArn(arn('sqs', name));
      if (stored) stored.setAttributes(attributes);
      else await call('CreateQueue', { QueueName: name, Attributes: attributes });
    },
    releaseWaiters: () => sqsStore.shutdown(),
    async stop() {
      sqsStore.shutdown();
      await app.close();
      persistence?.close();
    },
  };
}

/** SQS rejects a delay above fifteen minutes; the emulator would accept it. */
function checkDelay({ DelaySeconds: delay }: Body): void {
  if (delay === undefined || (typeof delay === 'number' && delay >= 0 && delay <= delaySecondsMax)) return;
  throw new AwsError(
    'InvalidParameterValue',
    `Value ${delay} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= ${delaySecondsMax}.`,
  );
}

type Call = (operation: string, body: Body) => Promise<Record<string, unknown>>;

/** An entry with an invalid delay fails alone; the others are sent. */
async function sendBatch(call: Call, body: Body): Promise<Record<string, unknown>> {
  const entries = Array.isArray(body.Entries) ? (body.Entries as Body[]) : [];
  const failed: Record<string, unknown>[] = [];
  const good = entries.filter((entry) => {
    try {
      checkDelay(entry);
      return true;
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      failed.push({ Id: entry.Id, SenderFault: true, Code: error.type, Message: error.message });
      return false;
    }
  });
  if (failed.length === 0) return call('SendMessageBatch', body);
  const sent = good.length === 0 ? { Successful: [] } : await call('SendMessageBatch', { ...body, Entries: good });
  const refused = Array.isArray(sent.Failed) ? sent.Failed : [];
  return { ...sent, Failed: [...refused, ...failed] };
}

/** Parts of the emulator that its package does not export; its version is pinned. */
interface SqsStore {
  persistence?: Persistence;
  allQueues(): Iterable<{ persistence?: Persistence }>;
  getQueueByArn(queueArn: string): { setAttributes(attributes: Record<string, string>): void } | undefined;
  shutdown(): void;
}
interface Persistence {
  loadSqsAndSns(sqs: SqsStore, sns: object): void;
  close(): void;
}

async function part<T>(path: string, name: string): Promise<T> {
  const url = new URL(`../../../node_modules/fauxqs/dist/${path}`, import.meta.url);
  const module = (await import(url.href)) as Record<string, T>;
  const found = module[name];
  if (found === undefined)
    throw new Error(`The SQS emulator has no ${name}: is fauxqs installed in its pinned version?`);
  return found;
}

async function build(dataDir: string | undefined) {
  const SqsStore = await part<new () => SqsStore>('sqs/sqsStore.js', 'SqsStore');
  const SnsStore = await part<new () => object>('sns/snsStore.js', 'SnsStore');
  const S3Store = await part<new () => object>('s3/s3Store.js', 'S3Store');
  const sqsStore = new SqsStore();
  const snsStore = new SnsStore();
  let persistence: Persistence | undefined;
  if (dataDir !== undefined) {
    const PersistenceManager = await part<new (dir: string) => Persistence>('persistence.js', 'PersistenceManager');
    persistence = new PersistenceManager(dataDir);
    // Loaded messages must not be written again, so persistence is set after loading.
    persistence.loadSqsAndSns(sqsStore, snsStore);
    sqsStore.persistence = persistence;
    for (const queue of sqsStore.allQueues()) queue.persistence = persistence;
  }
  const stores = { sqsStore, snsStore, s3Store: new S3Store() } as unknown as NonNullable<BuildAppOptions['stores']>;
  const app = buildApp({ logger: false, defaultRegion: localRegion, stores });
  await app.ready();
  return { app, sqsStore, persistence };
}
