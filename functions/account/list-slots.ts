import * as routes from '../../contract/account-routes.ts';
import { listSlots } from '../../core/availability/list-slots.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';

export const handler = accountEndpoint(routes.listSlots).handler(({ owner, query }) => listSlots(owner, query));
