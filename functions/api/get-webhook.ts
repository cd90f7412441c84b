import * as routes from '../../contract/integration/routes.ts';
import { endpoint } from '../../core/http/endpoint.ts';
import { getWebhook } from '../../core/webhooks/registry/read.ts';

export const handler = endpoint(routes.getWebhook).handler(({ principal, params }) => getWebhook(principal, params));
