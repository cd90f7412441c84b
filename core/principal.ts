/** Who a request acts for: a tenant, and the actor that speaks for it (docs/rules.md#api-keys, #owners). */
import { personalDataScope } from '../contract/personal-data.ts';
import type { Role } from '../contract/roles.ts';
import type { Scope } from '../contract/scopes.ts';
import type { SessionRight } from '../contract/sessions.ts';

/** An API key, without its value, hash or counters. */
export interface KeyActor {
  readonly kind: 'key';
  /** Stable across regeneration (docs/rules.md#api-keys). */
  readonly id: number;
  readonly scopes: readonly Scope[];
  /** Whether the owner lets agents use it. A test key needs no leave. */
  readonly agents?: true;
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

/** A browser that speaks for an API key, or with a link of an owner (docs/rules.md#sessions). */
export interface SessionActor {
  readonly kind: 'session';
  readonly id: number;
  /** The key that opened it; 0 for an owner. */
  readonly keyId: number;
  readonly rights: readonly SessionRight[];
  /** Of a booker: which services and staff members it sees. Absent: all. */
  readonly serviceIds?: readonly number[];
  readonly staffIds?: readonly number[];
  /** Of a session for one booking. */
  readonly bookingId?: number;
}

export type Actor = KeyActor | OwnerActor | SessionActor;

/** Every verb of `core/` takes one first. A principal of a narrower actor is one of any actor. */
export interface Principal<A extends Actor = Actor> {
  /** A business, or in test mode its sandbox. */
  readonly tenantId: number;
  readonly actor: A;
}

/**
 * What a person may do is decided by their role and the row; a key what its scopes allow (docs/rules.md#scopes); a session
 * has no scope.
 */
export function hasScope(actor: Actor, scope: Scope): boolean {
  return actor.kind === 'owner' || (actor.kind === 'key' && actor.scopes.includes(scope));
}

/** docs/rules.md#privacy. */
export function canSeePersonalData(actor: Actor): boolean {
  return hasScope(actor, personalDataScope);
}

/**
 * What an actor keeps for itself, holds and idempotency keys, is kept by this id: that of the key or the session, or 0 for
 * all owners.
 */
export function holderId({ actor }: Principal): number {
  return actor.kind === 'owner' ? 0 : actor.id;
}

/** The key through which a request comes, directly or by a session; 0 for owners. */
export function keyIdOf(principal: Principal): number {
  return principal.actor.kind === 'session' ? principal.actor.keyId : holderId(principal);
}

/** Whether a session is for a service or a staff member. Keys and owners are for all of them. */
export function isFor(actor: Actor, kind: 'serviceIds' | 'staffIds', id: number): boolean {
  return actor.kind !== 'session' || (actor[kind]?.includes(id) ?? true);
}

/** The staff member whose bookings are all that the actor sees; undefined when it sees those of everybody. */
export function onlyStaffId(actor: Actor): number | undefined {
  // Without a staff member, none: ids are positive.
  return actor.kind === 'owner' && actor.role === 'member' ? (actor.staffId ?? 0) : undefined;
}
