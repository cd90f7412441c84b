import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { getResource } from '../../core/setup/change-resource.ts';

export const handler = accountEndpoint(routes.getResource).handler(({ principal, params }) =>
  getResource(principal, params),
);
