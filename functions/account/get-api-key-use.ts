import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { getApiKeyUse } from '../../core/keys/key-use.ts';

export const handler = accountEndpoint(routes.getApiKeyUse).handler(({ principal, params }) =>
  getApiKeyUse(principal, params),
);
