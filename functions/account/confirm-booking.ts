import * as routes from '../../contract/account/routes.ts';
import { confirmBooking } from '../../core/bookings/progress.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.confirmBooking).handler(({ principal, params }) =>
  confirmBooking(principal, params),
);
