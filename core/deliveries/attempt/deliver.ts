/** From a message to an attempt: the consumer of the queues `deliveries` and `retries` (section 6.2, decisions §6). */
import { limits } from '../../../contract/limits.ts';
import { now } from '../../clock.ts';
import { isLive } from '../../keys/api-key.ts';
import { log } from '../../log.ts';
import type { TimeLeft } from '../../queue/consumer.ts';
import { gather } from '../../queue/gather.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';
import { type Outcome, type SendRequest, send } from '../../webhooks/sender/send.ts';
import { signedHeaders } from '../../webhooks/sender/signature.ts';
import { commit, type Made } from './commit.ts';
import { hopSeconds } from './due-times.ts';
import { type Found, findForAttempts, type Means } from './find.ts';
import { slowWatch } from './lane.ts';
import { type DeliveryMessage, type Outgoing, sendMessages } from './messages.ts';
import { unpackBody } from './packed-body.ts';
import { admit, announced, type Next, sameAttempt } from './state.ts';

export type Sender = (request: SendRequest) => Promise<Outcome>;

/** When the attempt ended, whatever is noted of it after that. */
type Post = (webhook: WebhookItem, request: SendRequest) => Promise<{ outcome: Outcome; endedAt: number }>;

/** A receiver that takes longer than this holds up its own record and no other. */
const gatherMs = 500;
/** An attempt begins only if there is time left for it and for its record. */
const reserveMs = 5_000;

/** What a message leads to: an attempt to be recorded, or at once the next message. */
type Step = { readonly made: Made } | { readonly message: DeliveryMessage; readonly next: Next };

/**
 * One promise a message, in order. A message whose time has not come hops on without a read. For the others everything
 * is read at once, each attempt is made on its own, and what ends at about the same time is recorded together.
 *
 * The order is: record, then send the next hop, then acknowledge. So a crash anywhere repeats a step and skips none,
 * and a repeated step finds on record what was done.
 */
export function deliver(
  messages: readonly DeliveryMessage[],
  time: TimeLeft,
  sender: Sender = send,
): readonly Promise<void>[] {
  // Duplicates in one batch share one attempt.
  const distinct = new Map(messages.map((message) => [label(message), message]));
  const due = [...distinct.values()].filter((message) => isDue(message, now()));
  const reading = findForAttempts(due).then((found) => new Map(due.map((message, i) => [message, found[i]])));
  reading.catch((error: unknown) => log.error('The deliveries of a batch cannot be read', { error }));

  const watch = slowWatch();
  const post: Post = async (webhook, request) => {
    let endedAt = now();
    const outcome = await watch(webhook, async (onStage) => {
      const ended = await sender({ ...request, onStage });
      endedAt = now();
      return ended;
    });
    return { outcome, endedAt };
  };
  const steps = gather(distinct.size, gatherMs, recordAndGoOn);
  const results = new Map(
    [...distinct].map(([name, message]) => {
      const step = due.includes(message) ? attempt(message, reading, time, post) : Promise.resolve(wait(message));
      step.catch(() => steps.leave());
      return [name, step.then(steps.add)];
    }),
  );
  return messages.map((message) => results.get(label(message)) ?? Promise.resolve());
}

function label({ webhookId, number }: DeliveryMessage): string {
  return `${webhookId} ${number}`;
}

/**
 * A first attempt is due as soon as its message is there: were its time still to come, that would be the difference of two
 * clocks. A retry is never early (section 6.2.6).
 */
function isDue({ attempt, dueAt }: { attempt: number; dueAt: number }, at: number): boolean {
  return attempt === 1 || dueAt <= at;
}

function wait(message: DeliveryMessage): Step {
  const { attempt, dueAt } = message;
  return { message, next: { kind: 'send', attempt, dueAt, delaySeconds: hopSeconds(dueAt, now()) } };
}

async function attempt(
  message: DeliveryMessage,
  reading: Promise<ReadonlyMap<DeliveryMessage, (Found & Means) | undefined>>,
  time: TimeLeft,
  post: Post,
): Promise<Step> {
  const read = await reading.catch(() => undefined);
  const startedAt = now();
  // The store's trouble is ours: the message waits outside the count of its receives.
  if (!read) return { message, next: sameAttempt(message, startedAt) };
  const found = read.get(message);
  if (!found) return { message, next: { kind: 'stop' } };
  const admitted = admit(found.head, message.attempt);
  if (admitted === 'drop') return { message, next: { kind: 'stop' } };
  const { dueAt } = found.head;
  if (admitted === 'announce' || !isDue({ attempt: message.attempt, dueAt }, startedAt)) {
    return { message, next: announced(found.head, startedAt) };
  }
  const ended = await resultOf(found, time, post, startedAt);
  return { made: { message, found, startedAt, ...ended } };
}

async function resultOf(
  { webhook, head, key, secret }: Found & Means,
  time: TimeLeft,
  post: Post,
  sentAt: number,
): Promise<Pick<Made, 'result' | 'endedAt'>> {
  if (webhook.status !== 'active' || !isLive(key, sentAt)) return { result: { kind: 'disabled' }, endedAt: sentAt };
  if (time.getRemainingTimeInMillis() < limits.deliveryTimeoutMs + reserveMs) {
    throw new Error('No time is left for an attempt');
  }
  const { deliveryId, event } = head;
  if (secret === undefined) {
    log.error('A webhook has no signing secret', { webhookId: webhook.id });
    return { result: { kind: 'fault' }, endedAt: sentAt };
  }
  const body = unpackBody(head.body);
  const headers = signedHeaders({ secret, deliveryId, event, body, sentAt });
  const { outcome, endedAt } = await post(webhook, { url: webhook.targetUrl, headers, body });
  if (outcome.kind === 'failed' && outcome.ours) {
    log.warn('An attempt failed by a fault of our own', { deliveryId, errorCode: outcome.errorCode });
  }
  return { result: outcome, endedAt };
}

function recordAndGoOn(steps: readonly Step[]): readonly Promise<void>[] {
  const made = steps.flatMap((step) => ('made' in step ? [step.made] : []));
  const committed = new Map(commit(made).map((next, i) => [made[i], next]));
  const nexts = steps.map(async (step): Promise<readonly [DeliveryMessage, Next]> => {
    if (!('made' in step)) return [step.message, step.next];
    return [step.made.message, (await committed.get(step.made)) ?? { kind: 'stop' }];
  });
  const sending = Promise.allSettled(nexts).then(async (settled) => {
    const outgoing = settled.map((one) => (one.status === 'fulfilled' ? outgoingOf(...one.value) : undefined));
    const present = outgoing.filter((one) => one !== undefined);
    const sent = await sendMessages('retries', present);
    return outgoing.map((one) => one === undefined || sent[present.indexOf(one)] === true);
  });
  return nexts.map(async (next, i) => {
    const [message, { kind }] = await next;
    if (kind === 'alarm') throw new Error(`Our own faults kept a delivery of webhook ${message.webhookId} for a day`);
    if (!(await sending)[i]) throw new Error('The next message was not sent');
  });
}

function outgoingOf(message: DeliveryMessage, next: Next): Outgoing | undefined {
  if (next.kind !== 'send') return undefined;
  const { attempt, dueAt, delaySeconds } = next;
  return { message: { ...message, attempt, dueAt }, delaySeconds };
}
