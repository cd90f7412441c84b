import * as routes from '../../contract/integration/routes.ts';
import { listMoveDays } from '../../core/bookings/list-moves.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.listSlotDays).handler(({ principal, query }) => listMoveDays(principal, query));
