/** The console's knowledge of which keys receive which events, against the API's rules. */
import { expect, test } from 'vitest';
import { missingScope } from '../../console/src/screens/events/event-names.ts';
import { eventNames } from '../../contract/event-names.ts';
import { scopeNames } from '../../contract/scopes.ts';
import { assertMayReceive } from '../../core/keys/event-access.ts';

test.each(eventNames)('The console names the permission that an API key lacks to receive the event %s', (event) => {
  for (const scopes of scopeNames.flatMap((one) => scopeNames.map((other) => [one, other]))) {
    const ask = expect(() => assertMayReceive({ scopes }, [event]));
    const scope = missingScope(scopes, event);
    if (scope) ask.toThrow(`needs the scope ${scope}.`);
    else ask.not.toThrow();
  }
});
