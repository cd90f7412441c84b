import * as routes from '../../contract/integration/routes.ts';
import { rescheduleBooking } from '../../core/bookings/reschedule.ts';
import { endpoint } from '../../core/http/endpoint.ts';
import { idempotent } from '../../core/idempotency/idempotently.ts';

export const handler = endpoint(routes.rescheduleBooking).handler(
  idempotent(({ principal, params, body }, commit) => rescheduleBooking(principal, params, body, commit)),
);
