import * as routes from '../../contract/integration/routes.ts';
import { recover } from '../../core/deliveries/log/recover.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.recoverWebhook).handler(({ key, params, body }) => recover(key, params, body));
