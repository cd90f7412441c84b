import * as routes from '../../contract/integration/routes.ts';
import { listFreeDays } from '../../core/bookings/free-slots.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.listSlotDays).handler(({ principal, query }) => listFreeDays(principal, query));
