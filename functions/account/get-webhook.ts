import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';
import { getBusinessWebhook } from '../../core/webhooks/registry/of-business.ts';

export const handler = accountEndpoint(routes.getWebhook).handler(({ owner, params }) =>
  getBusinessWebhook(owner, params),
);
