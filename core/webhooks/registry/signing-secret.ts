/** Signing secrets where they are kept: a table of their own, under a key of their own (docs/rules.md#secrets). */
import { now, timestamp } from '../../clock.ts';
import { fail } from '../../errors.ts';
import type { Principal } from '../../principal.ts';
import { getItem } from '../../store/read.ts';
import { refusedAt, transact } from '../../store/transact.ts';
import { check, put, putNew, remove, type Write } from '../../store/write.ts';
import { secrets } from '../../table-keys.ts';
import { newSecret } from '../sender/secret.ts';
import { loadWebhook } from './store.ts';

/**
 * The secret of a new webhook. Secrets and delivery records lie under the webhook's id alone, so the condition makes the
 * id unique among all tenants: two that are made in the same millisecond may draw the same one (docs/rules.md#ids).
 */
export function firstSecretPut(webhookId: number, secret: string): Write {
  return putNew('secrets', { ...secrets.signing(webhookId), secret });
}

/** Read for each message: a secret that was rotated away signs nothing. */
export async function findSecret(webhookId: number): Promise<string | undefined> {
  return (await getItem<{ secret: string }>('secrets', secrets.signing(webhookId)))?.secret;
}

export function secretDelete(webhookId: number): Write {
  return remove('secrets', secrets.signing(webhookId));
}

/**
 * `POST /webhooks/:id/rotate-secret`: every attempt reads the secret, so the old one signs nothing from here on.
 * 404 `not_found`.
 */
export async function rotateSecret(principal: Principal, { id }: { id: number }) {
  const webhook = await loadWebhook(principal, id);
  const secret = newSecret();
  const codes = await transact([check('deliveries', webhook), put('secrets', { ...secrets.signing(id), secret })]);
  if (codes === 'committed') return { id, secret, rotatedAt: timestamp(now()) };
  if (refusedAt(codes, 0)) throw fail('not_found');
  throw fail('temporarily_unavailable', { retryAfter: 1, cause: new Error(`rotation: ${codes.join(', ')}`) });
}
