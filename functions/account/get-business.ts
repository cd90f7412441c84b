import * as routes from '../../contract/account/routes.ts';
import { getAccountBusiness } from '../../core/catalog/read.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.getBusiness).handler(({ principal }) => getAccountBusiness(principal));
