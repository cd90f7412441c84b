import * as routes from '../../contract/account/routes.ts';
import { listBookings } from '../../core/bookings/list.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.listBookings).handler(({ principal, query }) =>
  listBookings(principal, query),
);
