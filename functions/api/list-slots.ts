import * as routes from '../../contract/integration/routes.ts';
import { listSlots } from '../../core/availability/list-slots.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.listSlots).handler(({ principal, query }) => listSlots(principal, query));
