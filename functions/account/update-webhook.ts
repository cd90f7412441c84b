import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { updateWebhook } from '../../core/webhooks/registry/update-webhook.ts';

export const handler = accountEndpoint(routes.updateWebhook).handler(({ principal, params, body }) =>
  updateWebhook(principal, params, body),
);
