import * as routes from '../../contract/account/routes.ts';
import { recover } from '../../core/deliveries/log/recover.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.recoverWebhook).handler(({ principal, params, body }) =>
  recover(principal, params, body),
);
