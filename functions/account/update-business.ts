import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { updateBusiness } from '../../core/setup/update-business.ts';

export const handler = accountEndpoint(routes.updateBusiness).handler(({ principal, body }) =>
  updateBusiness(principal, body),
);
