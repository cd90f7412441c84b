import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { getWebhook } from '../../core/webhooks/registry/read.ts';

export const handler = accountEndpoint(routes.getWebhook).handler(({ principal, params }) =>
  getWebhook(principal, params),
);
