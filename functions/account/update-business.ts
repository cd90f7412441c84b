import * as routes from '../../contract/account-routes.ts';
import { updateBusiness } from '../../core/catalog/update-business.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';

export const handler = accountEndpoint(routes.updateBusiness).handler(({ owner, body }) => updateBusiness(owner, body));
