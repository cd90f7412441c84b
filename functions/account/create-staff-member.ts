import * as routes from '../../contract/account-routes.ts';
import { createStaffMember } from '../../core/catalog/change-staff.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';

export const handler = accountEndpoint(routes.createStaffMember).handler(({ owner, body }) =>
  createStaffMember(owner, body),
);
