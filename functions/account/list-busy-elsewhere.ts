import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { listBusyElsewhere } from '../../core/setup/busy-elsewhere.ts';

export const handler = accountEndpoint(routes.listBusyElsewhere).handler(({ principal, params, query }) =>
  listBusyElsewhere(principal, params, query),
);
