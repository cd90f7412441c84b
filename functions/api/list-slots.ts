import * as routes from '../../contract/integration/routes.ts';
import { listFreeSlots } from '../../core/bookings/free-slots.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.listSlots).handler(({ principal, query }) => listFreeSlots(principal, query));
