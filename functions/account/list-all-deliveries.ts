import * as routes from '../../contract/account/routes.ts';
import { listDeliveriesOfOwner } from '../../core/deliveries/log/list-messages.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.listAllDeliveries).handler(({ principal, query }) =>
  listDeliveriesOfOwner(principal, query),
);
