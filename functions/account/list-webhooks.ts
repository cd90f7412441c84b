import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';
import { listBusinessWebhooks } from '../../core/webhooks/registry/of-business.ts';

export const handler = accountEndpoint(routes.listWebhooks).handler(({ owner, query }) =>
  listBusinessWebhooks(owner, query),
);
