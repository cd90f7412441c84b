import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { listResources } from '../../core/setup/change-resource.ts';

export const handler = accountEndpoint(routes.listResources).handler(({ principal, query }) =>
  listResources(principal, query),
);
