import * as routes from '../../contract/integration/routes.ts';
import { explainFreeSlot } from '../../core/bookings/free-slots.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.explainSlot).handler(({ principal, query }) =>
  explainFreeSlot(principal, query),
);
