import * as routes from '../../contract/account/routes.ts';
import { createClient } from '../../core/bookings/client-book.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { idempotently } from '../../core/idempotency/idempotently.ts';

export const handler = accountEndpoint(routes.createClient).handler(({ principal, body, idempotencyKey }) =>
  idempotently(principal, idempotencyKey, { client: body }, (commit) => createClient(principal, body, commit)),
);
