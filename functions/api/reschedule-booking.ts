import * as routes from '../../contract/integration/routes.ts';
import { rescheduleBooking } from '../../core/bookings/reschedule.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.rescheduleBooking).handler(({ key, params, body }) =>
  rescheduleBooking(key, params.id, { ...body, by: 'integration' }),
);
