import * as routes from '../../contract/integration/routes.ts';
import { endpoint } from '../../core/http/endpoint.ts';
import { updateWebhook } from '../../core/webhooks/registry/update-webhook.ts';

export const handler = endpoint(routes.updateWebhook).handler(({ principal, params, body }) =>
  updateWebhook(principal, params, body),
);
