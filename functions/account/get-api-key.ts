import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { getApiKey } from '../../core/keys/read-keys.ts';

export const handler = accountEndpoint(routes.getApiKey).handler(({ principal, params }) =>
  getApiKey(principal, params),
);
