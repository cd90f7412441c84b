/** Which events, and which of their fields with personal data, an API key may receive (docs/rules.md#scopes). */
import { eventNames, personalEventFields, requiredScope } from '../../contract/event-names.ts';
import { personalDataScope } from '../../contract/personal-data.ts';
import type { Scope } from '../../contract/scopes.ts';
import { now } from '../clock.ts';
import { decompressText } from '../compressed-text.ts';
import { fail } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { getItem } from '../store/read.ts';
import { records } from '../table-keys.ts';
import { isLive, type KeyFacts, statusOf } from './api-key.ts';

type Scopes = Pick<KeyFacts, 'scopes'>;

/**
 * Whether the key exists, is active at `at` (epoch milliseconds) and has the scope of the event. Otherwise the event is
 * not sent.
 */
export function mayReceive(key: KeyFacts | undefined, event: string, at: number): boolean {
  return isLive(key, at) && mayRead(key, event);
}

/** Whether the key may receive a message that was made earlier, when its scopes may have been different. */
export function mayReceiveMessage(key: KeyFacts | undefined, message: Message, at: number): boolean {
  return isLive(key, at) && hasScopesOfMessage(key, message);
}

/** Whether messages to a webhook of the key may contain personal data, `personalEventFields` included. */
export function mayReceivePersonalData(key: KeyFacts | undefined, at: number): boolean {
  return isLive(key, at) && key.scopes.includes(personalDataScope);
}

/** Whether the scopes of an active key allow it to read the event. */
function mayRead(key: Scopes, event: string): boolean {
  return missingScope(key, event) === undefined;
}

/** A stored message. */
interface Message {
  readonly event: string;
  /** Compressed by `compressText`. */
  readonly body: Uint8Array;
}

/**
 * Whether the scopes of an active key allow it to read the message, which may contain more than its event requires:
 * `personalEventFields`.
 */
export function hasScopesOfMessage(key: Scopes, { event, body }: Message): boolean {
  return mayRead(key, event) && (key.scopes.includes(personalDataScope) || !holdsPersonalFields(body));
}

function holdsPersonalFields(body: Uint8Array): boolean {
  const { data } = JSON.parse(decompressText(body)) as { readonly data?: Readonly<Record<string, object | string>> };
  return personalEventFields.some((name) => Object.keys(data?.[name] ?? {}).length > 0);
}

/** 403 `insufficient_scope`: the key may not read the message any more. */
export function assertMayRead(key: Scopes, message: Message): void {
  if (!hasScopesOfMessage(key, message)) throw insufficientScope(personalDataScope, message.event);
}

function insufficientScope(scope: Scope, event: string): Error {
  return fail('insufficient_scope', {
    message: `To receive ${event}, the API key needs the scope ${scope}.`,
    details: { scope },
  });
}

/** 403 `insufficient_scope` with the scope of the first event that the key may not receive. */
export function assertMayReceive(key: Scopes, events: readonly string[]): void {
  for (const event of events) {
    const scope = missingScope(key, event);
    if (scope) throw insufficientScope(scope, event);
  }
}

/** The key of a webhook to which something is to be sent. 409 `invalid_state` if the key may not receive it. */
export async function loadReceivingKey({ tenantId, actor }: Principal, keyId: number): Promise<Scopes> {
  // A key sees its own webhooks only, and was live a moment ago.
  if (actor.kind === 'key') return actor;
  const key = await getItem<KeyFacts>('records', records.key(tenantId, keyId));
  const status = key ? statusOf(key, now()) : 'revoked';
  if (!key || status !== 'active') throw fail('invalid_state', `The API key of the webhook is ${status}.`);
  if (missingScope(key)) {
    throw fail('invalid_state', 'The API key of the webhook lacks the scope webhooks:manage.');
  }
  return key;
}

/** `webhooks:manage` is needed to receive any event; some events need another scope, too. */
function missingScope({ scopes }: Scopes, event?: string): Scope | undefined {
  const name = eventNames.find((one) => one === event);
  const needed: readonly (Scope | undefined)[] = ['webhooks:manage', name && requiredScope(name)];
  return needed.find((scope) => scope && !scopes.includes(scope));
}
