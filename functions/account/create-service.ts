import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';
import { createService } from '../../core/setup/change-service.ts';

export const handler = accountEndpoint(routes.createService).handler(({ owner, body }) => createService(owner, body));
