/** The API key, checked and counted against both its limits in one call (docs/rules.md#api-keys, #limits). */

import { fail } from '../errors.ts';
import { isOutdated } from '../keys/api-key.ts';
import { checkKey } from '../keys/check-key.ts';
import { parseKeyValue } from '../keys/key-value.ts';
import { log } from '../log.ts';
import type { Exchange, Middleware } from './exchange.ts';
import { limitExceeded } from './limit-exceeded.ts';

const outdated = 'This test key is older than test mode. Make a new one in test mode of the account.';

export function requireKey(): Middleware {
  return {
    before: async ({ event: { exchange } }) => {
      const value = presentedKey(exchange.headers);
      const parts = parseKeyValue(value);
      if (parts === undefined) throw fail('api_key_invalid');

      const check = await checkKey(parts.hash);
      switch (check.outcome) {
        case 'unknown':
          throw fail('api_key_invalid');
        case 'revoked':
          throw fail('api_key_revoked');
        case 'expired':
          throw fail('api_key_expired');
      }

      if (isOutdated(check.key)) throw fail('api_key_revoked', { message: outdated });
      exchange.usage = check.usage;
      exchange.origins = check.origins;
      if (check.outcome !== 'accepted') throw limitExceeded(check);
      exchange.key = check.key;
      log.appendKeys({ keyId: check.key.id, tenantId: check.key.tenantId });
    },
  };
}

/** Either header will do; both are fine when they agree (docs/rules.md#api-keys). */
function presentedKey(headers: Exchange['headers']): string {
  const direct = headers['x-api-key']?.trim() || undefined;
  const bearer = /^Bearer\s+(\S.*)$/i.exec(headers.authorization?.trim() ?? '')?.[1];
  if (direct !== undefined && bearer !== undefined && direct !== bearer) {
    throw fail('api_key_invalid', { message: 'X-API-Key and Authorization carry different API keys.' });
  }
  const value = direct ?? bearer;
  if (value === undefined) throw fail('api_key_missing');
  return value;
}
