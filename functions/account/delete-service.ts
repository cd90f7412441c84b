import * as routes from '../../contract/account-routes.ts';
import { deleteService } from '../../core/catalog/change-service.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';

export const handler = accountEndpoint(routes.deleteService).handler(({ owner, params }) =>
  deleteService(owner, params),
);
