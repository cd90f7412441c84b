import * as routes from '../../contract/account/routes.ts';
import { redeliver } from '../../core/deliveries/log/redeliver.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';
import { forOwner } from '../../core/webhooks/registry/of-business.ts';

export const handler = accountEndpoint(routes.redeliver).handler(({ owner, params }) =>
  forOwner(redeliver)(owner, params),
);
