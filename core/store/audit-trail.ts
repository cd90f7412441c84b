/**
 * The audit log (docs/rules.md#audit): the transaction of a change also writes its entry, without the new values.
 * Changes are recorded only inside `recorded`.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { limits } from '../../contract/limits.ts';
import { causedByRequest } from '../cause.ts';
import { newId, now } from '../clock.ts';
import { keyIdOf, type Principal } from '../principal.ts';
import { records } from '../table-keys.ts';
import { putNew, type Write } from './write.ts';

/** A change that a request makes. */
export interface AuditedChange {
  readonly principal: Principal;
  /** Method and path of its endpoint, such as `PATCH /v1/account/services/:id`. */
  readonly operation: string;
  /** The id in the path; for a request that creates something, the id in the response. */
  readonly resourceId?: number | undefined;
  /** The names of the fields in the body, never their values. */
  readonly fields: readonly string[];
}

export interface AuditItem extends Omit<AuditedChange, 'principal'> {
  readonly id: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The API key, or the subject of an owner's token; neither for a client with a link from the business. */
  readonly keyId?: number;
  readonly ownerId?: string;
  readonly requestId?: string;
  readonly expiresAtSeconds: number;
}

interface Recorded extends AuditedChange {
  isOnRecord: boolean;
  /** One entry for all transactions of the change: of several concurrent ones, only one can write it. */
  entry?: Pick<AuditItem, 'id' | 'at'>;
}

const current = new AsyncLocalStorage<Recorded>();

/** Runs the change of a request. Its first transaction contains the entry, later ones do not. */
export function recorded<T>(change: AuditedChange, call: () => T): T {
  return current.run({ ...change, isOnRecord: false }, call);
}

/** The write of the entry, for the transaction of the change with this result; by default in the caller's business. */
export function auditWrites(result: unknown, business?: number): Write[] {
  const change = current.getStore();
  if (!change || change.isOnRecord) return [];
  const { principal, operation, fields, resourceId = idOf(result) } = change;
  change.entry ??= { id: newId(), at: now() };
  const { id, at } = change.entry;
  const item: AuditItem = {
    id,
    at,
    ...actorIds(principal),
    operation,
    resourceId,
    fields,
    ...causedByRequest(),
    expiresAtSeconds: Math.ceil(at / 1_000) + limits.auditDays * 86_400,
  };
  return [putNew('records', { ...records.audit(business ?? principal.tenantId, id), ...item })];
}

/** The id of the key or owner; a client with a link from the business has none. */
function actorIds(principal: Principal): Pick<AuditItem, 'keyId' | 'ownerId'> {
  if (principal.actor.kind === 'owner') return { ownerId: principal.actor.subject };
  const keyId = keyIdOf(principal);
  return keyId === 0 ? {} : { keyId };
}

/** Called when the entry is committed, so that later transactions of the request do not write it again. */
export function entryIsOnRecord(): void {
  const change = current.getStore();
  if (change) change.isOnRecord = true;
}

function idOf(result: unknown): number | undefined {
  const { id } = (result ?? {}) as { readonly id?: unknown };
  return typeof id === 'number' ? id : undefined;
}
