import * as routes from '../../contract/account/routes.ts';
import { createBooking } from '../../core/bookings/create-booking.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { idempotent } from '../../core/idempotency/idempotently.ts';

export const handler = accountEndpoint(routes.createBooking).handler(
  idempotent(({ principal, body }, commit) => createBooking(principal, body, commit)),
);
