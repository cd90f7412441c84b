/** Of which events an API key may be told (docs/rules.md#scopes): what it may not read, no message tells it either. */
import { eventNames, scopeToHear } from '../../contract/event-names.ts';
import type { Scope } from '../../contract/scopes.ts';
import { fail } from '../errors.ts';
import { isLive, type KeyFacts } from './api-key.ts';

type Scopes = Pick<KeyFacts, 'scopes'>;

/** Whether the key is there, is live at `at` (epoch milliseconds) and may be told of the event: else nothing of it is sent. */
export function hears(key: KeyFacts | undefined, event: string, at: number): boolean {
  return key !== undefined && isLive(key, at) && lacks(key, event) === undefined;
}

function lacks({ scopes }: Scopes, event: string): Scope | undefined {
  const name = eventNames.find((one) => one === event);
  const scope = name && scopeToHear(name);
  return scope && !scopes.includes(scope) ? scope : undefined;
}

/** 403 `insufficient_scope`, which names the first event that the key may not be told of, and the scope it needs. */
export function assertHears(key: Scopes, events: readonly string[]): void {
  for (const event of events) {
    const scope = lacks(key, event);
    if (!scope) continue;
    throw fail('insufficient_scope', {
      message: `The API key lacks the scope ${scope}, without which it is not told of ${event}.`,
      details: { scope },
    });
  }
}
