import * as routes from '../../contract/account/routes.ts';
import { createOwnBooking } from '../../core/bookings/create-booking.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';

export const handler = accountEndpoint(routes.createBooking).handler(({ owner, body, idempotencyKey }) =>
  createOwnBooking(owner, body, idempotencyKey),
);
