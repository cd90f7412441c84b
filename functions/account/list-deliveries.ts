import * as routes from '../../contract/account-routes.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';
import { listBusinessDeliveries } from '../../core/webhooks/registry/of-business.ts';

export const handler = accountEndpoint(routes.listDeliveries).handler(({ owner, params, query }) =>
  listBusinessDeliveries(owner, params, query),
);
