import * as routes from '../../contract/integration/routes.ts';
import { endpoint } from '../../core/http/endpoint.ts';
import { deleteWebhook } from '../../core/webhooks/registry/delete-webhook.ts';

export const handler = endpoint(routes.deleteWebhook).handler(({ principal, params }) =>
  deleteWebhook(principal, params),
);
