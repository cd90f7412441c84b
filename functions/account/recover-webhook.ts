import * as routes from '../../contract/account/routes.ts';
import { recover } from '../../core/deliveries/log/recover.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';
import { forOwner } from '../../core/webhooks/registry/of-business.ts';

export const handler = accountEndpoint(routes.recoverWebhook).handler(({ owner, params, body }) =>
  forOwner(recover)(owner, params, body),
);
