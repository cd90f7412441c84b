import * as routes from '../../contract/account/routes.ts';
import { rescheduleBooking } from '../../core/bookings/reschedule.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.rescheduleBooking).handler(({ principal, params, body }) =>
  rescheduleBooking(principal, params, body),
);
