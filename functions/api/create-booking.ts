import * as routes from '../../contract/integration/routes.ts';
import { createBooking } from '../../core/bookings/create-booking.ts';
import { endpoint } from '../../core/http/endpoint.ts';
import { idempotent } from '../../core/idempotency/idempotently.ts';

export const handler = endpoint(routes.createBooking).handler(
  idempotent(({ principal, body }, commit) => createBooking(principal, body, commit)),
);
