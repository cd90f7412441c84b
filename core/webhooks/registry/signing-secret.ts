/** Signing secrets where they are kept: a table of their own, under a key of their own (docs/rules.md#secrets). */
import { now, timestamp } from '../../clock.ts';
import { fail } from '../../errors.ts';
import { modeOf } from '../../mode.ts';
import type { Principal } from '../../principal.ts';
import { getItem } from '../../store/read.ts';
import { commitWithRetry, refusedAt } from '../../store/transact.ts';
import { check, put, putNew, remove, type Write } from '../../store/write.ts';
import { secrets } from '../../table-keys.ts';
import { newSecret } from '../sender/secret.ts';
import { loadWebhook } from './store.ts';
import type { WebhookItem } from './webhook.ts';

/**
 * The secret of a new webhook. Secrets and delivery records lie under the webhook's id alone, so the condition makes the
 * id unique among all tenants: two that are made in the same millisecond may draw the same one (docs/rules.md#ids).
 */
export function firstSecretPut(webhookId: number, secret: string): Write {
  return putNew('secrets', { ...secrets.signing(webhookId), secret });
}

/** As it is stored. The one before it signs too until its time. */
export interface SigningSecret {
  readonly secret: string;
  readonly previous?: string;
  /** Epoch milliseconds. */
  readonly previousUntil?: number;
}

/** What signs a message that is sent at `sentAt`: a secret that was rotated away signs nothing after its grace. */
export function signingOf(
  { tenantId }: Pick<WebhookItem, 'tenantId'>,
  { secret, previous, previousUntil = 0 }: SigningSecret,
  sentAt: number,
) {
  return { mode: modeOf(tenantId), secret, previousSecret: sentAt < previousUntil ? previous : undefined, sentAt };
}

/** Read for each message. Undefined once its webhook is gone. */
export function findSecret(webhookId: number): Promise<SigningSecret | undefined> {
  return getItem<SigningSecret>('secrets', secrets.signing(webhookId));
}

export function secretDelete(webhookId: number): Write {
  return remove('secrets', secrets.signing(webhookId));
}

/**
 * `POST /webhooks/:id/rotate-secret`: every message reads the secret, so the old one signs nothing from here on, or from
 * the end of the grace on. An older one that was still in its grace ends now. 404 `not_found`.
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
      answer: { id, secret, rotatedAt: timestamp(at), previousUntil: before ? timestamp(previousUntil) : null },
      refused: (codes) => {
        if (refusedAt(codes, 0)) throw fail('not_found');
      },
    };
  });
}
