import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { whoAmI } from '../../core/owners/me.ts';

export const handler = accountEndpoint(routes.getMe).handler(({ principal }) => whoAmI(principal));
