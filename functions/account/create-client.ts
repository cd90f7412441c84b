import * as routes from '../../contract/account/routes.ts';
import { createClient } from '../../core/bookings/client-book.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { idempotent } from '../../core/idempotency/idempotently.ts';

export const handler = accountEndpoint(routes.createClient).handler(
  idempotent(({ principal, body }, commit) => createClient(principal, body, commit)),
);
