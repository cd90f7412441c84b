import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { deleteService } from '../../core/setup/change-service.ts';

export const handler = accountEndpoint(routes.deleteService).handler(({ principal, params }) =>
  deleteService(principal, params),
);
