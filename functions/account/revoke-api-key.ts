import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { revokeApiKey } from '../../core/keys/revoke-key.ts';

export const handler = accountEndpoint(routes.revokeApiKey).handler(({ principal, params }) =>
  revokeApiKey(principal, params),
);
