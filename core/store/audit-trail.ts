/**
 * Who changed what (docs/rules.md#audit): an entry in the transaction of the change itself, without what it changed to.
 * What a request may change, it changes within `recorded`; elsewhere nothing is recorded.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { limits } from '../../contract/limits.ts';
import { causedByRequest } from '../cause.ts';
import { newId, now } from '../clock.ts';
import { keyIdOf, type Principal } from '../principal.ts';
import { records } from '../table-keys.ts';
import { putNew, type Write } from './write.ts';

/** A change that a request asks for. */
export interface AuditedChange {
  readonly principal: Principal;
  /** Method and path of its endpoint, such as `PATCH /v1/account/services/:id`. */
  readonly operation: string;
  /** The id in its path; what has none gets that of the answer, when something is made. */
  readonly resourceId?: number | undefined;
  /** The fields of its body: their names, never their values. */
  readonly fields: readonly string[];
}

export interface AuditItem extends Omit<AuditedChange, 'principal'> {
  readonly id: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Who: an API key, or the subject of an owner's token; neither for a client with a link of the business. */
  readonly keyId?: number;
  readonly ownerId?: string;
  readonly requestId?: string;
  readonly expiresAtSeconds: number;
}

const current = new AsyncLocalStorage<AuditedChange & { isOnRecord: boolean }>();

/** Runs what a change asks for. Its first transaction has the entry; those that go on with it have none. */
export function recorded<T>(change: AuditedChange, call: () => T): T {
  return current.run({ ...change, isOnRecord: false }, call);
}

/** The entry, to be committed together with the change that comes to `answer`. */
export function auditWrites(answer: unknown): Write[] {
  const change = current.getStore();
  if (!change || change.isOnRecord) return [];
  const { principal, operation, fields, resourceId = idOf(answer) } = change;
  const { tenantId } = principal;
  const [id, at] = [newId(), now()];
  const item: AuditItem = {
    id,
    at,
    ...whoOf(principal),
    operation,
    ...(resourceId !== undefined && { resourceId }),
    fields,
    ...causedByRequest(),
    expiresAtSeconds: Math.ceil(at / 1_000) + limits.auditDays * 86_400,
  };
  return [putNew('records', { ...records.audit(tenantId, id), ...item })];
}

/** A client with a link that the business made is neither. */
function whoOf(principal: Principal): Pick<AuditItem, 'keyId' | 'ownerId'> {
  if (principal.actor.kind === 'owner') return { ownerId: principal.actor.subject };
  const keyId = keyIdOf(principal);
  return keyId === 0 ? {} : { keyId };
}

/** Once the entry is committed. */
export function entryIsOnRecord(): void {
  const change = current.getStore();
  if (change) change.isOnRecord = true;
}

/** Of an answer, or of one to an `Idempotency-Key`. */
function idOf(answer: unknown): number | undefined {
  const { id, value } = (answer ?? {}) as { readonly id?: unknown; readonly value?: { readonly id?: unknown } };
  const found = id ?? value?.id;
  return typeof found === 'number' ? found : undefined;
}
