/** Which events an API key may receive (docs/rules.md#scopes): what it may not read, no message contains either. */
import { eventNames, requiredScope } from '../../contract/event-names.ts';
import type { Scope } from '../../contract/scopes.ts';
import { fail } from '../errors.ts';
import { isLive, type KeyFacts } from './api-key.ts';

type Scopes = Pick<KeyFacts, 'scopes'>;

/** Whether the key exists, is live at `at` (epoch milliseconds) and has the scope of the event: else nothing of it is sent. */
export function mayReceive(key: KeyFacts | undefined, event: string, at: number): boolean {
  return key !== undefined && isLive(key, at) && hasScopesOf(key, event);
}

/** Whether its scopes let a key that is live read the event. */
export function hasScopesOf(key: Scopes, event: string): boolean {
  return missingScope(key, event) === undefined;
}

/** 403 `insufficient_scope`, which names the first event that the key may not receive, and the scope that it needs. */
export function assertMayReceive(key: Scopes, events: readonly string[]): void {
  for (const event of events) {
    const scope = missingScope(key, event);
    if (!scope) continue;
    throw fail('insufficient_scope', {
      message: `The API key lacks the scope ${scope}, without which it does not receive ${event}.`,
      details: { scope },
    });
  }
}

/** `webhooks:manage` is the right to receive any event; some need another beside it. */
function missingScope({ scopes }: Scopes, event: string): Scope | undefined {
  const name = eventNames.find((one) => one === event);
  const needed: readonly (Scope | undefined)[] = ['webhooks:manage', name && requiredScope(name)];
  return needed.find((scope) => scope && !scopes.includes(scope));
}
