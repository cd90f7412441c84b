import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { regenerateApiKey } from '../../core/keys/regenerate-key.ts';

export const handler = accountEndpoint(routes.regenerateApiKey).handler(({ principal, params, body }) =>
  regenerateApiKey(principal, params, body),
);
