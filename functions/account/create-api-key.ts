import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { createApiKey } from '../../core/keys/create-key.ts';

export const handler = accountEndpoint(routes.createApiKey).handler(({ principal, body }) =>
  createApiKey(principal, body),
);
