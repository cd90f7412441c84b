import * as routes from '../../contract/account-routes.ts';
import { updateStaffMember } from '../../core/catalog/change-staff.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';

export const handler = accountEndpoint(routes.updateStaffMember).handler(({ owner, params, body }) =>
  updateStaffMember(owner, params, body),
);
