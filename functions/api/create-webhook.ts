import * as routes from '../../contract/integration/routes.ts';
import { endpoint } from '../../core/http/endpoint.ts';
import { createWebhook } from '../../core/webhooks/registry/create-webhook.ts';

export const handler = endpoint(routes.createWebhook).handler(({ principal, body }) => createWebhook(principal, body));
