/** Principals as the access policies of both APIs make them, for tests that call verbs. */
import { type Scope, scopeNames } from '../../contract/scopes.ts';
import type { ApiKey } from '../../core/keys/api-key.ts';
import { isSandbox } from '../../core/mode.ts';
import type { Owner } from '../../core/owner.ts';
import type { KeyActor, OwnerActor, Principal } from '../../core/principal.ts';

export type TestOwner = Owner & Principal<OwnerActor>;
export type TestKey = ApiKey & Principal<KeyActor>;

export function ownerPrincipal(tenantId: number, subject = 'owner'): TestOwner {
  return { tenantId, subject, actor: { kind: 'owner', subject } };
}

/** A key with every scope, unless `scopes` says otherwise. */
export function keyPrincipal(tenantId: number, id: number, scopes: readonly Scope[] = scopeNames): TestKey {
  return { tenantId, id, scopes, test: isSandbox(tenantId), actor: { kind: 'key', id, scopes } };
}
