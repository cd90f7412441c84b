/** Keys and webhooks that need attention. */
import type { LinkProps } from '@tanstack/react-router';
import type { Answer } from '../../api/call.ts';
import { sendsMail } from '../../session/config.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.overview;
/** Shorter failures are not reported. */
const failsLongMs = 30 * 60_000;
const soonMs = 14 * 86_400_000;
/** The share of a key's daily requests from which it is reported. */
const busyShare = 0.8;
export const requestsPerDay = 10_000;

export interface Due {
  readonly tone: 'red' | 'yellow' | 'teal';
  readonly text: string;
  /** The label of the button. */
  readonly act: string;
  readonly to: LinkProps;
}

export function webhooksDue(
  webhooks: Answer<'listWebhooks'> | undefined,
  now: number,
  ago: (instant: string) => string,
): readonly Due[] {
  if (!webhooks) return [];
  if (webhooks.total === 0)
    return [
      {
        tone: 'teal',
        text: texts.noWebhooks,
        act: strings.webhooks.create,
        to: { to: '/webhooks', search: { create: true } },
      },
    ];
  return webhooks.data.flatMap(({ id, status, consecutiveFailures, failingSince, notice, targetUrl }): Due[] => {
    const to: LinkProps = { to: '/webhooks/$id', params: { id: String(id) } };
    if (status === 'failed') return [{ tone: 'red', text: texts.webhookOff(targetUrl), act: texts.webhookOffAct, to }];
    if (notice === 'webhook.recovered' && failingSince === null)
      return [{ tone: 'teal', text: texts.webhookWorks(targetUrl), act: texts.webhookWorksAct, to }];
    if (failingSince === null) return [];
    if (consecutiveFailures === 0 && now - Date.parse(failingSince) < failsLongMs) return [];
    // A reactivated webhook may fail without a counted failure.
    const text =
      consecutiveFailures === 0
        ? texts.webhookStillFailing(targetUrl, ago(failingSince))
        : texts.webhookFailing(targetUrl, ago(failingSince), consecutiveFailures);
    return [{ tone: 'yellow', text, act: texts.webhookOffAct, to }];
  });
}

export function keysDue(
  keys: Answer<'listApiKeys'> | undefined,
  now: number,
  ago: (instant: string) => string,
): readonly Due[] {
  if (!keys) return [];
  const active = keys.data.filter(({ status }) => status === 'active');
  // Without any key, the first steps contain this task.
  if (keys.total === 0) return [];
  if (active.length === 0)
    return [{ tone: 'teal', text: texts.noKeys, act: strings.apiKeys.create, to: { to: '/api-keys' } }];
  return active.flatMap(({ id, name, expiresAt, requestsToday, contactEmail, contactEmailOff }): Due[] => {
    const to: LinkProps = { to: '/api-keys', search: { key: id } };
    const isSoon = expiresAt !== null && Date.parse(expiresAt) - now < soonMs;
    const isBusy = requestsToday >= busyShare * requestsPerDay;
    const dues: readonly (Due | false)[] = [
      isSoon && { tone: 'yellow', text: texts.keyExpires(name, ago(expiresAt)), act: texts.keyExpiresAct, to },
      ...emailDue(contactEmail, contactEmailOff, to),
      isBusy && { tone: 'yellow', text: texts.keyBusy(name), act: texts.keyBusyAct, to },
    ];
    return dues.filter((due) => due !== false);
  });
}

/** Reports an address that gets no more emails about problems. A stage without emails has no form to change it. */
export function emailDue(address: string | null, off: object | null, to: LinkProps): readonly Due[] {
  if (!sendsMail() || !off || address === null) return [];
  return [{ tone: 'yellow', text: texts.emailOff(address), act: texts.emailOffAct, to }];
}
