import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { idempotent } from '../../core/idempotency/idempotently.ts';
import { createStaffMember } from '../../core/setup/change-staff.ts';

export const handler = accountEndpoint(routes.createStaffMember).handler(
  idempotent(({ principal, body }, commit) => createStaffMember(principal, body, commit)),
);
