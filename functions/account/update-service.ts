import * as routes from '../../contract/account-routes.ts';
import { updateService } from '../../core/catalog/change-service.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';

export const handler = accountEndpoint(routes.updateService).handler(({ owner, params, body }) =>
  updateService(owner, params, body),
);
