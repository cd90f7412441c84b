/** Of which events an API key may be told (docs/rules.md#scopes): what it may not read, no message tells it either. */
import { type EventName, eventNames, scopeToHear } from '../../contract/event-names.ts';
import { fail } from '../errors.ts';
import { isLive, type KeyFacts } from './api-key.ts';

type Scopes = Pick<KeyFacts, 'scopes'>;

/** Whether the key is live at `at` (epoch milliseconds) and may be told of the event: else nothing of it is sent. */
export function hears(key: KeyFacts | undefined, event: string, at: number): boolean {
  return key !== undefined && isLive(key, at) && mayHear(key, event);
}

function mayHear({ scopes }: Scopes, event: string): boolean {
  const name = eventNames.find((one) => one === event);
  return name === undefined || scopes.includes(scopeToHear(name));
}

/** 403 `insufficient_scope`, which names the first event that the key may not be told of, and the scope it needs. */
export function assertHears(key: Scopes, events: readonly string[]): void {
  const silent = events.find((event) => !mayHear(key, event));
  if (silent === undefined) return;
  const scope = scopeToHear(silent as EventName);
  throw fail('insufficient_scope', {
    message: `The API key lacks the scope ${scope}, without which it is not told of ${silent}.`,
    details: { scope },
  });
}
