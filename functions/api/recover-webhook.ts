import * as routes from '../../contract/integration/routes.ts';
import { recover } from '../../core/deliveries/log/recover.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.recoverWebhook).handler(({ principal, params, body }) =>
  recover(principal, params, body),
);
