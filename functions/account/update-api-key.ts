import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { updateApiKey } from '../../core/keys/update-key.ts';

export const handler = accountEndpoint(routes.updateApiKey).handler(({ principal, params, body }) =>
  updateApiKey(principal, params, body),
);
