import * as routes from '../../contract/account/routes.ts';
import { listFreeSlots } from '../../core/bookings/free-slots.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.listSlots).handler(({ principal, query }) =>
  listFreeSlots(principal, query),
);
