import * as routes from '../../contract/integration/routes.ts';
import { cancelBooking } from '../../core/bookings/cancel.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.cancelBooking).handler(({ key, params, body }) =>
  cancelBooking(key, params.id, { by: 'integration', ...body }),
);
