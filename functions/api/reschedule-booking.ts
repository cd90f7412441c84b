import * as routes from '../../contract/integration/routes.ts';
import { rescheduleBooking } from '../../core/bookings/reschedule.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.rescheduleBooking).handler(({ principal, params, body }) =>
  rescheduleBooking(principal, params, body),
);
