import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { updateService } from '../../core/setup/change-service.ts';

export const handler = accountEndpoint(routes.updateService).handler(({ principal, params, body }) =>
  updateService(principal, params, body),
);
