import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { idempotently } from '../../core/idempotency/idempotently.ts';
import { createStaffMember } from '../../core/setup/change-staff.ts';

export const handler = accountEndpoint(routes.createStaffMember).handler(({ principal, body, idempotencyKey }) =>
  idempotently(principal, idempotencyKey, { staff: body }, (commit) => createStaffMember(principal, body, commit)),
);
