import * as routes from '../../contract/integration/routes.ts';
import { createHold } from '../../core/availability/holds.ts';
import { endpoint } from '../../core/http/endpoint.ts';
import { idempotent } from '../../core/idempotency/idempotently.ts';

export const handler = endpoint(routes.createHold).handler(
  idempotent(({ principal, body }, commit) => createHold(principal, body, commit)),
);
