import * as routes from '../../contract/account/routes.ts';
import { listAllDeliveries } from '../../core/deliveries/log/list-all.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.listAllDeliveries).handler(({ principal, query }) =>
  listAllDeliveries(principal, query),
);
