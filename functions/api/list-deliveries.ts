import * as routes from '../../contract/integration/routes.ts';
import { listDeliveries } from '../../core/deliveries/log/list.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.listDeliveries).handler(({ principal, params, query }) =>
  listDeliveries(principal, params, query),
);
