/** A key may do what its scopes say (docs/rules.md#scopes). */
import { expect, test } from 'vitest';
import { type Scope, scopeNames } from '../../../../contract/scopes.ts';
import { requireScope } from '../../../../core/http/access/scope.ts';
import type { Middleware } from '../../../../core/http/context.ts';
import { publicAccess, serve } from '../../../../core/http/serve.ts';
import { call } from '../../../support/http.ts';

const withKey = (scopes: readonly Scope[]): Middleware => ({
  before: ({ event }) => {
    event.state.principal = { tenantId: 2, actor: { kind: 'key', id: 1, scopes } };
  },
});

test.each(scopeNames)(
  'A key needs the scope %s where it is required, and no other scope replaces it',
  async (scope) => {
    const asked = (scopes: readonly Scope[]) => {
      const checks = [withKey(scopes), requireScope(scope)];
      return call(
        serve('GET /', { ...publicAccess(), checks }, async () => ({ statusCode: 204 })),
        {},
      );
    };
    expect((await asked([scope])).status).toBe(204);
    for (const others of [[], scopeNames.filter((one) => one !== scope)]) {
      expect(await asked(others)).toMatchObject({
        status: 403,
        json: { code: 'insufficient_scope', message: `The API key lacks the scope ${scope}.`, details: { scope } },
      });
    }
  },
);
