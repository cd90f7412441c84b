import * as routes from '../../contract/integration/routes.ts';
import { explainMove } from '../../core/bookings/list-moves.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.explainSlot).handler(({ principal, query }) => explainMove(principal, query));
