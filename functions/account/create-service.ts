import * as routes from '../../contract/account-routes.ts';
import { createService } from '../../core/catalog/change-service.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';

export const handler = accountEndpoint(routes.createService).handler(({ owner, body }) => createService(owner, body));
