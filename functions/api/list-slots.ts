import * as routes from '../../contract/integration/routes.ts';
import { listMoves } from '../../core/bookings/list-moves.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.listSlots).handler(({ principal, query }) => listMoves(principal, query));
