import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { listApiKeys } from '../../core/keys/read-keys.ts';

export const handler = accountEndpoint(routes.listApiKeys).handler(({ principal, query }) =>
  listApiKeys(principal, query),
);
