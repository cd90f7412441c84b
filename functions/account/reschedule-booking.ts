import * as routes from '../../contract/account/routes.ts';
import { rescheduleBooking } from '../../core/bookings/reschedule.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { idempotent } from '../../core/idempotency/idempotently.ts';

export const handler = accountEndpoint(routes.rescheduleBooking).handler(
  idempotent(({ principal, params, body }, commit) => rescheduleBooking(principal, params, body, commit)),
);
