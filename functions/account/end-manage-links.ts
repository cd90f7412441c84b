import * as routes from '../../contract/account/routes.ts';
import { endManageLinks } from '../../core/bookings/open-session.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.endManageLinks).handler(({ principal, params }) =>
  endManageLinks(principal, params),
);
