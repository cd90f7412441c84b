import * as routes from '../../contract/account/routes.ts';
import { listMoves } from '../../core/bookings/list-moves.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.listSlots).handler(({ principal, query }) => listMoves(principal, query));
