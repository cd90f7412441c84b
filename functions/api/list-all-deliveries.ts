import * as routes from '../../contract/integration/routes.ts';
import { listAllDeliveries } from '../../core/deliveries/log/list-all.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.listAllDeliveries).handler(({ principal, query }) =>
  listAllDeliveries(principal, query),
);
