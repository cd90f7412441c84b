import * as routes from '../../contract/integration/routes.ts';
import { cancelBooking } from '../../core/bookings/cancel.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.cancelBooking).handler(({ principal, params, body }) =>
  cancelBooking(principal, params, body),
);
