import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { createWebhook } from '../../core/webhooks/registry/create-webhook.ts';

export const handler = accountEndpoint(routes.createWebhook).handler(({ principal, body }) =>
  createWebhook(principal, body),
);
