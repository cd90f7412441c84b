import * as routes from '../../contract/account/routes.ts';
import { listDeliveries } from '../../core/deliveries/log/list.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';
import { forOwner } from '../../core/webhooks/registry/of-business.ts';

export const handler = accountEndpoint(routes.listDeliveries).handler(({ owner, params, query }) =>
  forOwner(listDeliveries)(owner, params, query),
);
