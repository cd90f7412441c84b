import * as routes from '../../contract/account/routes.ts';
import { getDelivery } from '../../core/deliveries/log/detail.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.getDelivery).handler(({ principal, params }) =>
  getDelivery(principal, params),
);
