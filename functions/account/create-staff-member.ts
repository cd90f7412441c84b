import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { createStaffMember } from '../../core/setup/change-staff.ts';

export const handler = accountEndpoint(routes.createStaffMember).handler(({ principal, body }) =>
  createStaffMember(principal, body),
);
