import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';
import { createWebhookForKey } from '../../core/webhooks/registry/create-for-key.ts';

export const handler = accountEndpoint(routes.createWebhook).handler(({ owner, body }) =>
  createWebhookForKey(owner, body),
);
