/**
 * The only reader of the environment. The stack sets exactly the variables that a function's row needs; asking for
 * another is a bug of the row and says so.
 */
import type { SentQueue, Store } from '../contract/system/needs.ts';

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`Environment variable ${name} is not set: does the function's row list what it needs?`);
  return value;
}

export const env = {
  /** Name of a table: `TABLE_RECORDS` and its like. */
  table: (store: Store): string => required(`TABLE_${store.toUpperCase()}`),
  /** URL of a queue: `QUEUE_EVENTS` and its like. */
  queueUrl: (queue: SentQueue): string => required(`QUEUE_${queue.toUpperCase()}`),
  /** Missing where a foreign issuer signs people in. */
  userPool: (): string | undefined => process.env.USER_POOL || undefined,
  eventBus: (): string => required('EVENT_BUS'),
  /** Every function has it: the stage's prefix. */
  metricsNamespace: (): string => required('METRICS_NAMESPACE'),
  /** What Lambda gives every function; read again at each call, as the SDK asks only when it must. */
  credentials: (): { accessKeyId: string; secretAccessKey: string; sessionToken?: string } => {
    const sessionToken = process.env.AWS_SESSION_TOKEN;
    return {
      accessKeyId: required('AWS_ACCESS_KEY_ID'),
      secretAccessKey: required('AWS_SECRET_ACCESS_KEY'),
      ...(sessionToken ? { sessionToken } : {}),
    };
  },
  functionName: (): string => process.env.AWS_LAMBDA_FUNCTION_NAME ?? 'local',
  /** Never set by a stack: the local run sets it so that webhooks may point to a receiver on this machine. */
  allowsLoopbackTargets: (): boolean => process.env.ALLOW_LOOPBACK_TARGETS === 'true',
  /** Never set by a stack: the local run divides the waits between attempts by it. */
  timeScale: (): number => Number(process.env.TIME_SCALE) || 1,
  /** Never set by a stack: a machine where a test's emulator, its functions and the test itself share two cores is slow. */
  requestTimeoutMs: (): number | undefined => Number(process.env.REQUEST_TIMEOUT_MS) || undefined,
};

/** Where the pages of the edge are, if the deployment has a domain for them. */
export const pagesOrigin = (): string | undefined => process.env.PAGES_ORIGIN || undefined;

/** Of functions that send emails alone: whom they are from, the configuration set, and where Amazon SES is. */
export const mailEnv = {
  from: (): string => required('MAIL_FROM'),
  configurationSet: (): string => required('MAIL_SET'),
  region: (): string => required('AWS_REGION'),
  endpoint: (): string => process.env.AWS_ENDPOINT_URL_SESV2 || `https://email.${mailEnv.region()}.amazonaws.com`,
};

/** Of functions that check keys alone: other bundles leave it out. */
export const keyCheckEnv = {
  /** What the edge sends with each request, where requests come by the edge alone. */
  edgeSecret: (): string | undefined => process.env.EDGE_SECRET || undefined,
  /** What `callerHash` is keyed with. */
  addressKey: (): string | undefined => process.env.ADDRESS_KEY || undefined,
};
