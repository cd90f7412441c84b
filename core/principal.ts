/** The principal of a request: the tenant, and the actor that acts for it (docs/rules.md#api-keys, #owners). */
import { personalDataScope } from '../contract/personal-data.ts';
import type { Role } from '../contract/roles.ts';
import type { Scope } from '../contract/scopes.ts';
import type { SessionRight } from '../contract/sessions.ts';

/** An API key, without its value, hash and counters. */
export interface KeyActor {
  readonly kind: 'key';
  /** Does not change when the key is regenerated (docs/rules.md#api-keys). */
  readonly id: number;
  readonly scopes: readonly Scope[];
  /** Whether the owner allows agents to use the key. Agents may use every test key. */
  readonly agents?: true;
}

/** A signed-in person of the business: an owner, or a colleague with a role. */
export interface OwnerActor {
  readonly kind: 'owner';
  /** The `sub` of the token, for the log. */
  readonly subject: string;
  /** The `email` of the token, if it has one. */
  readonly email?: string | undefined;
  readonly role: Role;
  /** Only of a `member`: the staff member whose bookings they see. */
  readonly staffId?: number | undefined;
}

/** A browser with a session of an API key, or with a link of an owner (docs/rules.md#sessions). */
export interface SessionActor {
  readonly kind: 'session';
  readonly id: number;
  /** The key that opened the session; 0 for an owner. */
  readonly keyId: number;
  readonly rights: readonly SessionRight[];
  /** Only of a booker: the services and staff members that the session sees. Absent: all. */
  readonly serviceIds?: readonly number[];
  readonly staffIds?: readonly number[];
  /** Only of a session for one booking. */
  readonly bookingId?: number;
}

export type Actor = KeyActor | OwnerActor | SessionActor;

/**
 * The first argument of every function that handles a request. A principal with a more specific actor is also a
 * principal of any actor.
 */
export interface Principal<A extends Actor = Actor> {
  /** The id of a business or, in test mode, of its sandbox. */
  readonly tenantId: number;
  readonly actor: A;
}

/**
 * The rights of a person depend on the role and the endpoint, and the rights of a key on its scopes
 * (docs/rules.md#scopes). A session has no scopes.
 */
export function hasScope(actor: Actor, scope: Scope): boolean {
  return actor.kind === 'owner' || (actor.kind === 'key' && actor.scopes.includes(scope));
}

/** Whether the principal may see all personal data (docs/rules.md#privacy). */
export function canSeePersonalData(actor: Actor): boolean {
  return hasScope(actor, personalDataScope);
}

/**
 * The id under which holds and idempotency records of an actor are stored: the id of the key or the session, or 0 for
 * all owners.
 */
export function holderId({ actor }: Principal): number {
  return actor.kind === 'owner' ? 0 : actor.id;
}

/** The key of a request, directly or by its session; 0 for owners. */
export function keyIdOf(principal: Principal): number {
  return principal.actor.kind === 'session' ? principal.actor.keyId : holderId(principal);
}

/** Whether a session includes a service or a staff member. Keys and owners include all. */
export function isFor(actor: Actor, kind: 'serviceIds' | 'staffIds', id: number): boolean {
  return actor.kind !== 'session' || (actor[kind]?.includes(id) ?? true);
}

/** The staff member whose bookings the actor sees; undefined if it sees all bookings. */
export function onlyStaffId(actor: Actor): number | undefined {
  // A member without a staff member sees none: ids are positive.
  return actor.kind === 'owner' && actor.role === 'member' ? (actor.staffId ?? 0) : undefined;
}
