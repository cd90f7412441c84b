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

type ReceiverState = Pick<WebhookItem, 'slowUntil' | 'answeredHost'>;

/** One write for each webhook whose state changes. If the write fails, a later batch makes it. */
export function receiverStateWrites(attempts: readonly Attempt[]): readonly Statement[] {
  const byWebhook = new Map<number, { readonly webhook: Attempt['webhook']; readonly state: ReceiverState }>();
  for (const one of attempts) {
    const { webhook } = one;
    const state = { ...byWebhook.get(webhook.id)?.state, ...slowness(one), ...firstSuccess(one) };
    if (Object.keys(state).length > 0) byWebhook.set(webhook.id, { webhook, state });
  }
  // The condition is false if the webhook has another receiver now.
  return [...byWebhook.values()].map(({ webhook: { pk, sk, id, targetUrl }, state }) =>
    update('deliveries', { pk, sk }, state, { id, targetUrl }),
  );
}

/** Empty if the webhook stays slow for more than half of the time anyway. */
function slowness(attempt: Attempt): ReceiverState {
  const { webhook, endedAt } = attempt;
  if (!wasSlow(attempt) || (webhook.slowUntil ?? 0) > endedAt + slowQueueMs / 2) return {};
  return { slowUntil: endedAt + slowQueueMs };
}

function firstSuccess({ webhook, outcome }: Attempt): ReceiverState {
  const host = hostOf(webhook);
  const isNew = outcome.kind === 'response' && isSuccess(outcome.status) && webhook.answeredHost !== host;
  return isNew ? { answeredHost: host } : {};
}

/** The duration of a platform fault is not counted as slowness of the receiver. */
function wasSlow({ outcome, startedAt, endedAt }: Attempt): boolean {
  const isPlatformFault = outcome.kind === 'failed' && outcome.platformFault;
  return !isPlatformFault && endedAt - startedAt > limits.slowReceiverMs;
}
