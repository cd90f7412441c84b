import * as routes from '../../contract/account-routes.ts';
import { deleteStaffMember } from '../../core/catalog/change-staff.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';

export const handler = accountEndpoint(routes.deleteStaffMember).handler(({ owner, params }) =>
  deleteStaffMember(owner, params),
);
