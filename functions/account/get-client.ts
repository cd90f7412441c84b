import * as routes from '../../contract/account/routes.ts';
import { getClient } from '../../core/bookings/client-book.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.getClient).handler(({ principal, params }) =>
  getClient(principal, params),
);
