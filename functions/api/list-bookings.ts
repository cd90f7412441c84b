import * as routes from '../../contract/integration/routes.ts';
import { listBookings } from '../../core/bookings/list.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.listBookings).handler(({ principal, query }) => listBookings(principal, query));
