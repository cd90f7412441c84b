import { exportClient as row } from '../../contract/account/routes.ts';
import { exportClient } from '../../core/erasure/export-client.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(row).handler(({ principal, params, body }) =>
  exportClient(principal, params, body),
);
