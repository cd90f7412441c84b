import * as routes from '../../contract/integration/routes.ts';
import { createHold } from '../../core/availability/holds.ts';
import { endpoint } from '../../core/http/endpoint.ts';
import { idempotently } from '../../core/idempotency/idempotently.ts';

export const handler = endpoint(routes.createHold).handler(({ principal, body, idempotencyKey }) =>
  idempotently(principal, idempotencyKey, { hold: body }, (commit) => createHold(principal, body, commit)),
);
