import * as routes from '../../contract/integration/routes.ts';
import { updateBooking } from '../../core/bookings/update-booking.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.updateBooking).handler(({ principal, params, body }) =>
  updateBooking(principal, params, body),
);
