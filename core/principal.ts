/** Who a request acts for: a tenant, and the actor that speaks for it (docs/rules.md#api-keys, #owners). */
import { personalDataScope } from '../contract/personal-data.ts';
import type { Role } from '../contract/roles.ts';
import type { Scope } from '../contract/scopes.ts';

/** An API key, without its value, hash or counters. */
export interface KeyActor {
  readonly kind: 'key';
  /** Stable across regeneration (docs/rules.md#api-keys). */
  readonly id: number;
  readonly scopes: readonly Scope[];
}

/** A signed-in person of the business: its owner, or a colleague with a role. */
export interface OwnerActor {
  readonly kind: 'owner';
  /** The token's `sub`: for the log. */
  readonly subject: string;
  /** The token's `email`, where it has one. */
  readonly email?: string;
  readonly role: Role;
  /** Of a `member`: whose bookings they are. */
  readonly staffId?: number;
}

export type Actor = KeyActor | OwnerActor;

/** Every verb of `core/` takes one first. A principal of a narrower actor is one of any actor. */
export interface Principal<A extends Actor = Actor> {
  /** A business, or in test mode its sandbox. */
  readonly tenantId: number;
  readonly actor: A;
}

/** What a person may do is decided by their role and the row; a key what its scopes allow (docs/rules.md#scopes). */
export function hasScope(actor: Actor, scope: Scope): boolean {
  return actor.kind === 'owner' || actor.scopes.includes(scope);
}

/** docs/rules.md#privacy. */
export function canSeePersonalData(actor: Actor): boolean {
  return hasScope(actor, personalDataScope);
}

/** What an actor keeps for itself, holds and idempotency keys, is kept by this id: a key's own, or 0 for all owners. */
export function holderId({ actor }: Principal): number {
  return actor.kind === 'key' ? actor.id : 0;
}

/** The staff member whose bookings are all that the actor sees; undefined when it sees those of everybody. */
export function onlyStaffId(actor: Actor): number | undefined {
  // Without a staff member, none: ids are positive.
  return actor.kind === 'owner' && actor.role === 'member' ? (actor.staffId ?? 0) : undefined;
}
