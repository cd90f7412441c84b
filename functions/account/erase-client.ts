import { eraseClient as row } from '../../contract/account/routes.ts';
import { eraseClient } from '../../core/erasure/erase-client.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(row).handler(({ principal, params, body }) =>
  eraseClient(principal, params, body),
);
