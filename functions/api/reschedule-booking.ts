import * as routes from '../../contract/integration/routes.ts';
import { rescheduleBooking } from '../../core/bookings/reschedule.ts';
import { endpoint } from '../../core/http/endpoint.ts';
import { idempotently } from '../../core/idempotency/idempotently.ts';

export const handler = endpoint(routes.rescheduleBooking).handler(({ principal, params, body, idempotencyKey }) =>
  idempotently(principal, body.dryRun ? undefined : idempotencyKey, { move: params, ...body }, (commit) =>
    rescheduleBooking(principal, params, body, commit),
  ),
);
