import * as routes from '../../contract/account/routes.ts';
import { listClients } from '../../core/bookings/client-book.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.listClients).handler(({ principal, query }) =>
  listClients(principal, query),
);
