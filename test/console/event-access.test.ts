/** The console's knowledge of which keys receive which events, against the API's rules. */
import { expect, test } from 'vitest';
import { canReceive } from '../../console/src/screens/events/event-names.ts';
import { eventNames, requiredScope } from '../../contract/event-names.ts';
import { scopes } from '../../contract/scopes.ts';

test.each(eventNames)('The console offers the event %s for exactly those API keys that may receive it', (event) => {
  const required = requiredScope(event);
  for (const scope of Object.keys(scopes)) {
    expect(canReceive([scope], event)).toBe(required === undefined || scope === required);
  }
});
