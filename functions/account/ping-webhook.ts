import * as routes from '../../contract/account/routes.ts';
import { ping } from '../../core/deliveries/attempt/ping.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.pingWebhook).handler(({ principal, params, body }) =>
  ping(principal, params, body),
);
