import * as routes from '../../contract/account/routes.ts';
import { redeliver } from '../../core/deliveries/log/redeliver.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.redeliver).handler(({ principal, params }) =>
  redeliver(principal, params),
);
