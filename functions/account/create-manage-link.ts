import * as routes from '../../contract/account/routes.ts';
import { createManageLink } from '../../core/bookings/open-session.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.createManageLink).handler(({ principal, params, body }) =>
  createManageLink(principal, params, body),
);
