import * as routes from '../../contract/integration/routes.ts';
import { getStaffMember } from '../../core/catalog/read.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.getStaffMember).handler(({ principal, params }) =>
  getStaffMember(principal, params),
);
