/** How the time of a function is shared between what it does and what it answers. */
import { afterEach, expect, test } from 'vitest';
import { setWorld } from '../../../core/clock.ts';
import { publicAccess, serve } from '../../../core/http/serve.ts';
import { timeLeftMs, writeReserveMs } from '../../../core/time-left.ts';
import { httpEvent, lambdaContext } from '../../support/http.ts';

afterEach(() => setWorld());

test('a write begins only while it would end half a second before the function does', async () => {
  setWorld({ now: () => Date.UTC(2026, 11, 1) });
  let left = 0;
  const handler = serve('POST /', publicAccess(), async () => {
    left = timeLeftMs();
    return { statusCode: 204 };
  });
  await handler(httpEvent({}), lambdaContext);
  expect(left).toBe(lambdaContext.getRemainingTimeInMillis() - 500 - writeReserveMs);
});
