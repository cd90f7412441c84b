import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { deleteResource } from '../../core/setup/change-resource.ts';

export const handler = accountEndpoint(routes.deleteResource).handler(({ principal, params }) =>
  deleteResource(principal, params),
);
