/**
 * Stores in webhooks how their receivers respond: slowly, so that their next messages use the slow queue
 * (docs/rules.md#fairness), or with 2xx for the first time (docs/rules.md#sending-budget).
 */
import { limits } from '../../../contract/limits.ts';
import { type Statement, update } from '../../store/write-each.ts';
import { hostOf, type WebhookItem } from '../../webhooks/registry/webhook.ts';
import { isSuccess } from '../model/state.ts';
import type { Attempt } from './attempt.ts';

const slowQueueMs = limits.slowQueueSeconds * 1_000;

type Marks = Pick<WebhookItem, 'slowUntil' | 'answeredHost'>;

/** One write for each webhook with a new mark. If the write fails, a later batch makes it. */
export function webhookMarks(attempts: readonly Attempt[]): readonly Statement[] {
  const byWebhook = new Map<number, { readonly webhook: Attempt['webhook']; readonly marks: Marks }>();
  for (const one of attempts) {
    const { webhook } = one;
    const marks = { ...byWebhook.get(webhook.id)?.marks, ...slowMark(one), ...answeredMark(one) };
    if (Object.keys(marks).length > 0) byWebhook.set(webhook.id, { webhook, marks });
  }
  // The webhook has another receiver now.
  return [...byWebhook.values()].map(({ webhook: { pk, sk, id, targetUrl }, marks }) =>
    update('deliveries', { pk, sk }, marks, { id, targetUrl }),
  );
}

/** No new mark if the stored one is valid for more than half of its time. */
function slowMark(attempt: Attempt): Marks {
  const { webhook, endedAt } = attempt;
  if (!tookLong(attempt) || (webhook.slowUntil ?? 0) > endedAt + slowQueueMs / 2) return {};
  return { slowUntil: endedAt + slowQueueMs };
}

function answeredMark({ webhook, outcome }: Attempt): Marks {
  const host = hostOf(webhook);
  const isNew = outcome.kind === 'answered' && isSuccess(outcome.status) && webhook.answeredHost !== host;
  return isNew ? { answeredHost: host } : {};
}

/** The duration of a platform fault is not counted as slowness of the receiver. */
function tookLong({ outcome, startedAt, endedAt }: Attempt): boolean {
  const isPlatformFault = outcome.kind === 'failed' && outcome.platformFault;
  return !isPlatformFault && endedAt - startedAt > limits.slowReceiverMs;
}
