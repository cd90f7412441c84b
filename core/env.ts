/**
 * The only module that reads environment variables. The stack sets exactly the variables that a function's row needs;
 * reading another one throws an error with its name.
 */
import type { SentQueue, Store } from '../contract/system/needs.ts';

function required(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new Error(
      `Environment variable ${name} is not set: does the row of the function in contract/ list it under needs?`,
    );
  return value;
}

export const env = {
  /** The name of a table, such as `TABLE_RECORDS`. */
  table: (store: Store): string => required(`TABLE_${store.toUpperCase()}`),
  /** The URL of a queue, such as `QUEUE_EVENTS`. */
  queueUrl: (queue: SentQueue): string => required(`QUEUE_${queue.toUpperCase()}`),
  /** Missing if owners sign in with another token issuer. */
  userPool: (): string | undefined => process.env.USER_POOL || undefined,
  eventBus: (): string => required('EVENT_BUS'),
  /** The prefix of the stage, which every function has. */
  metricsNamespace: (): string => required('METRICS_NAMESPACE'),
  /**
   * The credentials that Lambda gives every function; read at each call, because the SDK calls this only when it must.
   */
  credentials: (): { accessKeyId: string; secretAccessKey: string; sessionToken?: string } => {
    const sessionToken = process.env.AWS_SESSION_TOKEN;
    return {
      accessKeyId: required('AWS_ACCESS_KEY_ID'),
      secretAccessKey: required('AWS_SECRET_ACCESS_KEY'),
      ...(sessionToken ? { sessionToken } : {}),
    };
  },
  /** Never set by a stack: the local run sets it, so that webhooks may point to a receiver on this machine. */
  allowsLoopbackTargets: (): boolean => process.env.ALLOW_LOOPBACK_TARGETS === 'true',
  /** Never set by a stack: the local run divides the delays between attempts by it. */
  timeScale: (): number => Number(process.env.TIME_SCALE) || 1,
  /** Never set by a stack: tests need more time on a machine where emulator, functions and test share two cores. */
  requestTimeoutMs: (): number | undefined => Number(process.env.REQUEST_TIMEOUT_MS) || undefined,
  /** Never set by a stack: commands of operators read whole tables, which are throttled, and must not begin again. */
  maxAttempts: (): number => Number(process.env.MAX_ATTEMPTS) || 3,
};

/** The origin of the console, if the deployment has a domain for it. */
export const pagesOrigin = (): string | undefined => process.env.PAGES_ORIGIN || undefined;

/** Only for functions that send emails: the sender, the configuration set, and the endpoint of Amazon SES. */
export const mailEnv = {
  from: (): string => required('MAIL_FROM'),
  configurationSet: (): string => required('MAIL_SET'),
  region: (): string => required('AWS_REGION'),
  endpoint: (): string => process.env.AWS_ENDPOINT_URL || `https://email.${mailEnv.region()}.amazonaws.com`,
};

/** Only for functions that check keys: other bundles leave it out. */
export const keyCheckEnv = {
  /** The secret header that CloudFront adds to each request, if requests must come through CloudFront. */
  edgeSecret: (): string | undefined => process.env.EDGE_SECRET || undefined,
  /** The key of `callerHash`. */
  addressKey: (): string | undefined => process.env.ADDRESS_KEY || undefined,
};
