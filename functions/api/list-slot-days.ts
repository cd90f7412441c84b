import * as routes from '../../contract/integration/routes.ts';
import { listSlotDays } from '../../core/availability/list-slot-days.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.listSlotDays).handler(({ principal, query }) => listSlotDays(principal, query));
