import * as routes from '../../contract/account-routes.ts';
import { listBusinessDeliveries } from '../../core/deliveries/log/list.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';

export const handler = accountEndpoint(routes.listDeliveries).handler(({ owner, params, query }) =>
  listBusinessDeliveries(owner, params, query),
);
