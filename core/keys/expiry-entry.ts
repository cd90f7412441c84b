/** Items by which one query finds all keys that expire on a day (docs/rules.md#notices). */
import { dayMs } from '../clock.ts';
import { put, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';
import type { KeyFacts } from './api-key.ts';

export interface ExpiryEntry {
  readonly pk: string;
  readonly sk: string;
  readonly tenantId: number;
  readonly keyId: number;
}

/** The item of a key with an expiry. After a change of the expiry, the old item stays, and is skipped on its day. */
export function expiryEntry(
  { tenantId, id }: Pick<KeyFacts, 'tenantId' | 'id'>,
  expiresAt: number | undefined,
): Write[] {
  if (expiresAt === undefined) return [];
  const key = records.expiringKey(Math.floor(expiresAt / dayMs), tenantId, id);
  return [put('records', { ...key, tenantId, keyId: id, expiresAtSeconds: Math.ceil(expiresAt / 1_000) })];
}
