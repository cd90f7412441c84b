import * as routes from '../../contract/account/routes.ts';
import { listDeliveries } from '../../core/deliveries/log/list.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.listDeliveries).handler(({ principal, params, query }) =>
  listDeliveries(principal, params, query),
);
