import * as routes from '../../contract/account/routes.ts';
import { ping } from '../../core/deliveries/attempt/ping.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';
import { forOwner } from '../../core/webhooks/registry/of-business.ts';

export const handler = accountEndpoint(routes.pingWebhook).handler(({ owner, params, body }) =>
  forOwner(ping)(owner, params, body),
);
