import * as routes from '../../contract/account/routes.ts';
import { getStaffMember } from '../../core/catalog/read.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.getStaffMember).handler(({ principal, params }) =>
  getStaffMember(principal, params),
);
