import * as routes from '../../contract/account/routes.ts';
import { createBooking } from '../../core/bookings/create-booking.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.createBooking).handler(({ principal, body, idempotencyKey }) =>
  createBooking(principal, body, idempotencyKey),
);
