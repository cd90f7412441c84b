import * as routes from '../../contract/account/routes.ts';
import { explainFreeSlot } from '../../core/bookings/free-slots.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.explainSlot).handler(({ principal, query }) =>
  explainFreeSlot(principal, query),
);
