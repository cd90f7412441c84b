import * as routes from '../../contract/account/routes.ts';
import { explainMove } from '../../core/bookings/list-moves.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.explainSlot).handler(({ principal, query }) =>
  explainMove(principal, query),
);
