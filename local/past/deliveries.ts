/**
 * The deliveries of the past: every event of the outbox is planned, and every message delivered, at its own time. The
 * queues are one list in the order of time; the receivers are those of the table, and respond immediately.
 */
import type { SendMessageBatchCommandInput } from '@aws-sdk/client-sqs';
import { sqs } from '../../core/clients.ts';
import { now } from '../../core/clock.ts';
import { deliver, type Sender } from '../../core/deliveries/attempt/deliver.ts';
import { sweepDeliveries } from '../../core/deliveries/log/sweep.ts';
import { parseDeliveryBatch } from '../../core/deliveries/model/batch.ts';
import type { EventToPlan } from '../../core/deliveries/plan/event-refs.ts';
import { plan } from '../../core/deliveries/plan/plan.ts';
import { eventOf, type OutboxItem } from '../../core/events/event.ts';
import { at, pass } from './clock.ts';
import { drawer } from './drawer.ts';
import { demoReceivers } from './receivers.ts';

/** The time from a change to the plan of its events. */
const planAfterMs = 300;
const [fastestMs, slowestMs] = [40, 220];
/** Failed attempts per hundred at a working receiver, except in the last two hours. */
const hiccups = 3;
const soundForMs = 2 * 3_600_000;
const time = { getRemainingTimeInMillis: () => 60_000 };

/** A message of the queue of retries, and when it is due, in milliseconds since the epoch. */
export interface Waiting {
  readonly ms: number;
  readonly body: string;
}

type Due = Waiting | { readonly ms: number; readonly events: readonly EventToPlan[] };

/** Delivers everything in the outbox until `end`, and counts it. Returns the messages that are due later. */
export async function deliverPast(outbox: readonly OutboxItem[], end: number): Promise<readonly Waiting[]> {
  const events = outbox.map(eventOf);
  const together = Map.groupBy(events, ({ occurredAt }) => Date.parse(occurredAt));
  const due: Due[] = [...together].map(([ms, some]) => ({ ms: Math.min(ms + planAfterMs, end), events: some }));
  const send = async ({ input: { Entries = [] } }: { readonly input: SendMessageBatchCommandInput }) => {
    for (const { MessageBody: body = '' } of Entries) {
      due.push({ ms: Math.max(now(), ...parseDeliveryBatch(body).map(({ dueAt }) => dueAt)), body });
    }
    return { Successful: Entries.map(({ Id }) => ({ Id })) };
  };
  Object.assign(sqs(), { send });
  const post = receiving(events, end - soundForMs);
  for (let next = earliest(due); next && next.ms <= end; next = earliest(due)) {
    due.splice(due.indexOf(next), 1);
    const step = next;
    const ends = () => ('events' in step ? plan([step.events]) : deliver([parseDeliveryBatch(step.body)], time, post));
    await at(step.ms, () => Promise.all(ends()));
  }
  await sweepDeliveries(undefined, time);
  Reflect.deleteProperty(sqs(), 'send');
  return due.flatMap((one) => ('body' in one ? one : []));
}

function earliest(due: readonly Due[]): Due | undefined {
  return due.reduce<Due | undefined>((first, one) => (first && first.ms <= one.ms ? first : one), undefined);
}

/** Simulates the responses of the receivers in the table. */
function receiving(
  events: readonly { readonly name: string; readonly occurredAt: string }[],
  hiccupsUntil: number,
): Sender {
  const draw = drawer(1);
  const times = events.toSorted((a, b) => a.occurredAt.localeCompare(b.occurredAt));
  const receivers = demoReceivers.map(({ path, events: names, answers }) => {
    const own = times.filter(({ name }) => names.some((one) => one === name));
    return { path, answers, acceptedUntil: own.at(-answers.events - 1)?.occurredAt ?? '' };
  });
  return async ({ url, body }) => {
    const receiver = receivers.find(({ path }) => url.endsWith(path));
    const { timestamp } = JSON.parse(String(body)) as { readonly timestamp: string };
    const timeMs = fastestMs + draw(slowestMs - fastestMs);
    pass(timeMs);
    if (receiver && timestamp > receiver.acceptedUntil) {
      return { kind: 'response', status: receiver.answers.status, body: receiver.answers.body, timeMs };
    }
    return now() < hiccupsUntil && draw(100) < hiccups
      ? { kind: 'response', status: 503, body: 'Try again later.', timeMs }
      : { kind: 'response', status: 200, body: '{"received":true}', timeMs };
  };
}
