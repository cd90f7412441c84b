import * as routes from '../../contract/account/routes.ts';
import { updateClient } from '../../core/bookings/client-book.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.updateClient).handler(({ principal, params, body }) =>
  updateClient(principal, params, body),
);
