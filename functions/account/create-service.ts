import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { createService } from '../../core/setup/change-service.ts';

export const handler = accountEndpoint(routes.createService).handler(({ principal, body }) =>
  createService(principal, body),
);
