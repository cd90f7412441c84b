import * as routes from '../../contract/account/routes.ts';
import { completeBooking } from '../../core/bookings/progress.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.completeBooking).handler(({ principal, params }) =>
  completeBooking(principal, params),
);
