import * as routes from '../../contract/account-routes.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';
import { deleteBusinessWebhook } from '../../core/webhooks/registry/of-business.ts';

export const handler = accountEndpoint(routes.deleteWebhook).handler(({ owner, params }) =>
  deleteBusinessWebhook(owner, params),
);
