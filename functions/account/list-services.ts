import * as routes from '../../contract/account/routes.ts';
import { listServices } from '../../core/catalog/read.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.listServices).handler(({ principal, query }) =>
  listServices(principal, query),
);
