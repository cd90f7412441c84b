/** Principals as the access policies of both APIs create them, for tests that call functions of `core/`. */
import { type Scope, scopeNames } from '../../contract/scopes.ts';
import type { KeyActor, OwnerActor, Principal } from '../../core/principal.ts';

/** A principal of a key that also has the key's id. */
export type TestKey = Principal<KeyActor> & { readonly id: number };

export function ownerPrincipal(tenantId: number, subject = 'owner'): Principal<OwnerActor> {
  return { tenantId, actor: { kind: 'owner', role: 'owner', subject } };
}

/** A key with every scope, unless `scopes` says otherwise. */
export function keyPrincipal(tenantId: number, id: number, scopes: readonly Scope[] = scopeNames): TestKey {
  return { tenantId, id, actor: { kind: 'key', id, scopes } };
}
