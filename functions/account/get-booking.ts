import * as routes from '../../contract/account/routes.ts';
import { getBooking } from '../../core/bookings/change.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.getBooking).handler(({ principal, params }) =>
  getBooking(principal, params),
);
