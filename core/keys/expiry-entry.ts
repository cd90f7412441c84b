/** Where the keys are noted that expire on a day, so that one query finds them (docs/rules.md#notices). */
import { put, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';
import type { KeyFacts } from './api-key.ts';

const dayMs = 86_400_000;

export interface ExpiryEntry {
  readonly pk: string;
  readonly sk: string;
  readonly tenantId: number;
  readonly keyId: number;
}

/** Of a key with an expiry. That of a former expiry stays, and is passed over when its day comes. */
export function expiryEntry({ tenantId, id, expiresAt }: Pick<KeyFacts, 'tenantId' | 'id' | 'expiresAt'>): Write[] {
  if (expiresAt === undefined) return [];
  const place = records.expiringKey(Math.floor(expiresAt / dayMs), tenantId, id);
  return [put('records', { ...place, tenantId, keyId: id, expiresAtSeconds: Math.ceil(expiresAt / 1_000) })];
}
