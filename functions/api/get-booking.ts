import * as routes from '../../contract/integration/routes.ts';
import { getBooking } from '../../core/bookings/change.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.getBooking).handler(({ principal, params }) => getBooking(principal, params));
