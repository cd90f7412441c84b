import * as routes from '../../contract/account/routes.ts';
import { createClient } from '../../core/bookings/client-book.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.createClient).handler(({ principal, body }) =>
  createClient(principal, body),
);
