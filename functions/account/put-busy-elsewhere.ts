import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { putBusyElsewhere } from '../../core/setup/busy-elsewhere.ts';

export const handler = accountEndpoint(routes.putBusyElsewhere).handler(({ principal, params, body }) =>
  putBusyElsewhere(principal, params, body),
);
