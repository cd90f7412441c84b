import * as routes from '../../contract/account/routes.ts';
import { getService } from '../../core/catalog/read.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.getService).handler(({ principal, params }) =>
  getService(principal, params),
);
