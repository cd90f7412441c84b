import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { deleteWebhook } from '../../core/webhooks/registry/delete-webhook.ts';

export const handler = accountEndpoint(routes.deleteWebhook).handler(({ principal, params }) =>
  deleteWebhook(principal, params),
);
