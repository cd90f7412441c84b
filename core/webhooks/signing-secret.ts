/** Signing secrets where they are kept: a table of their own, under a key of their own (design §4). */
import { now, timestamp } from '../clock.ts';
import { env } from '../env.ts';
import { fail } from '../errors.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { transact, type Write } from '../records/transact.ts';
import { deliveries, secrets } from '../table-keys.ts';
import { newSecret } from './secret.ts';

export function secretPut(webhookId: number, secret: string): Write {
  return { Put: { TableName: env.table('secrets'), Item: { ...secrets.signing(webhookId), secret } } };
}

export function secretDelete(webhookId: number): Write {
  return { Delete: { TableName: env.table('secrets'), Key: secrets.signing(webhookId) } };
}

/**
 * `POST /webhooks/:id/rotate-secret`: every attempt reads the secret anew, so the old one signs nothing from here on.
 * 404 `not_found`.
 */
export async function rotateSecret(key: ApiKey, { id }: { id: number }) {
  const secret = newSecret();
  const codes = await transact([
    {
      ConditionCheck: {
        TableName: env.table('deliveries'),
        Key: deliveries.webhook(key.businessId, key.id, id),
        ConditionExpression: 'attribute_exists(pk)',
      },
    },
    secretPut(id, secret),
  ]);
  if (codes === 'committed') return { id, secret, rotatedAt: timestamp(now()) };
  if (codes[0] === 'ConditionalCheckFailed') throw fail('not_found');
  throw fail('temporarily_unavailable', { retryAfter: 1, cause: new Error(`rotation: ${codes.join(', ')}`) });
}
