/** Signing secrets, in their own table with their own encryption key (docs/rules.md#secrets). */
import { now, timestamp } from '../../clock.ts';
import { fail } from '../../errors.ts';
import { modeOf } from '../../mode.ts';
import type { Principal } from '../../principal.ts';
import { getItem } from '../../store/read.ts';
import { commitWithRetry, conditionFailedAt } from '../../store/transact.ts';
import { check, put, putNew, type Write } from '../../store/write.ts';
import { secrets } from '../../table-keys.ts';
import { newSecret } from '../sender/secret.ts';
import { loadWebhook } from './store.ts';
import type { WebhookItem } from './webhook.ts';

/**
 * The secret of a new webhook. Secrets and delivery records are stored under the webhook's id alone, so the condition
 * makes the id unique among all tenants: two webhooks of the same millisecond may get the same random id
 * (docs/rules.md#ids).
 */
export function firstSecretPut(webhookId: number, secret: string): Write {
  return putNew('secrets', { ...secrets.signing(webhookId), secret });
}

/** The stored form. The previous secret also signs until its time. */
export interface SigningSecret {
  readonly secret: string;
  readonly previous?: string;
  /** Epoch milliseconds. */
  readonly previousUntil?: number;
}

/**
 * The secrets with which a message is signed at `sentAt`: the current one, and the previous one during its grace time.
 */
export function signingOf(
  { tenantId }: Pick<WebhookItem, 'tenantId'>,
  { secret, previous, previousUntil = 0 }: SigningSecret,
  sentAt: number,
) {
  return { mode: modeOf(tenantId), secret, previousSecret: sentAt < previousUntil ? previous : undefined, sentAt };
}

/** Read for each message. Undefined if the webhook is deleted. */
export function findSecret(webhookId: number): Promise<SigningSecret | undefined> {
  return getItem<SigningSecret>('secrets', secrets.signing(webhookId));
}

/**
 * `POST /webhooks/:id/rotate-secret`: every message reads the secret, so the old one is not used any more, at once or
 * after `graceSeconds`. An even older secret is not used any more at once. 404 `not_found`.
 */
export async function rotateSecret(
  principal: Principal,
  { id }: { id: number },
  { graceSeconds = 0 }: { readonly graceSeconds?: number | undefined } = {},
) {
  const webhook = await loadWebhook(principal, id);
  return commitWithRetry(async () => {
    const before = graceSeconds > 0 ? await findSecret(id) : undefined;
    const at = now();
    const secret = newSecret();
    const previousUntil = at + graceSeconds * 1_000;
    const item = { ...secrets.signing(id), secret, ...(before && { previous: before.secret, previousUntil }) };
    return {
      writes: [check('deliveries', webhook), put('secrets', item, before && { secret: before.secret })],
      result: { id, secret, rotatedAt: timestamp(at), previousUntil: before ? timestamp(previousUntil) : null },
      onCancelled: (codes) => {
        if (conditionFailedAt(codes, 0)) throw fail('not_found');
      },
    };
  });
}
