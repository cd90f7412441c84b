import * as routes from '../../contract/account/routes.ts';
import { cancelBooking } from '../../core/bookings/cancel.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.cancelBooking).handler(({ principal, params, body }) =>
  cancelBooking(principal, params, body),
);
