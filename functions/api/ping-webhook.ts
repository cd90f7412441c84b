import * as routes from '../../contract/integration/routes.ts';
import { ping } from '../../core/deliveries/attempt/ping.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.pingWebhook).handler(({ principal, params, body }) =>
  ping(principal, params, body),
);
