import * as routes from '../../contract/integration/routes.ts';
import { createBooking } from '../../core/bookings/create-booking.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.createBooking).handler(({ principal, body, idempotencyKey }) =>
  createBooking(principal, body, idempotencyKey),
);
