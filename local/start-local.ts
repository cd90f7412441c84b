/** The whole system on one machine, stood up from the synthesised CloudFormation (design §5). */
import type { LocalLog } from './log.ts';
import type { Template } from './templates.ts';

export interface LocalOptions {
  /** Port of the HTTP API on 127.0.0.1. 0 or left out: any free one. */
  readonly port?: number;
  /** Folder that keeps tables and queues between runs. Left out: everything lives in memory. */
  readonly dataDir?: string;
  /** Divides the waits between delivery attempts. Default 1. */
  readonly timeScale?: number;
  /** Gets one short sentence for each thing that happens while starting. */
  readonly progress?: (line: string) => void;
  /** Changes the synthesised templates before anything is stood up. For tests, such as one that removes a grant. */
  readonly mutateTemplates?: (templates: readonly Template[]) => void;
  /** Concurrent invocations of one function at most. Default 4. */
  readonly workersPerFunction?: number;
  /** An endpoint that speaks DynamoDB, instead of the engine that comes with the project. */
  readonly engineUrl?: string;
}

export interface LocalQueue {
  readonly name: string;
  readonly url: string;
  readonly arn: string;
}

/** Physical names of what was stood up. */
export interface LocalResources {
  /** Table name by store of `contract/needs.ts`. */
  readonly tables: Readonly<Record<string, string>>;
  /** Queues by row of `contract/queues.ts`. */
  readonly queues: Readonly<Record<string, LocalQueue & { readonly deadLetterQueue?: LocalQueue }>>;
  readonly eventBus: string;
}

export interface LocalRun {
  /** `http://127.0.0.1:port`: the HTTP API. Integration paths begin with `/v1/integration`. */
  readonly baseUrl: string;
  /**
   * Speaks DynamoDB, DynamoDB Streams, SQS and EventBridge. With the access key id `ADMIN` (any secret) every call is
   * allowed; `adminClientOptions(run)` gives the options of an SDK client.
   */
  readonly awsEndpoint: string;
  readonly resources: LocalResources;
  readonly log: LocalLog;
  /** Ends every worker, child process, timer and server of this run. Safe to call twice. */
  stop(): Promise<void>;
}

/** Options for `new DynamoDBClient(...)` and its like, for seeding and for tests. */
export function adminClientOptions(run: Pick<LocalRun, 'awsEndpoint'>) {
  return {
    endpoint: run.awsEndpoint,
    region: localRegion,
    credentials: { accessKeyId: 'ADMIN', secretAccessKey: 'local' },
  };
}

export const localRegion = 'us-east-1';

/** Synthesises the app and stands it up. Throws an Error with one clear sentence when it cannot. */
export async function startLocal(options: LocalOptions = {}): Promise<LocalRun> {
  throw new Error(`The local run is not built yet (${JSON.stringify(options)}).`);
}
