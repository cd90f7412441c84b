import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { updateResource } from '../../core/setup/change-resource.ts';

export const handler = accountEndpoint(routes.updateResource).handler(({ principal, params, body }) =>
  updateResource(principal, params, body),
);
