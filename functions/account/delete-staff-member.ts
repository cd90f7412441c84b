import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { deleteStaffMember } from '../../core/setup/change-staff.ts';

export const handler = accountEndpoint(routes.deleteStaffMember).handler(({ principal, params }) =>
  deleteStaffMember(principal, params),
);
