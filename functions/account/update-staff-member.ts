import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { updateStaffMember } from '../../core/setup/change-staff.ts';

export const handler = accountEndpoint(routes.updateStaffMember).handler(({ principal, params, body }) =>
  updateStaffMember(principal, params, body),
);
