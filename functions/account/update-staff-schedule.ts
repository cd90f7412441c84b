import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { updateStaffSchedule } from '../../core/setup/change-schedule.ts';

export const handler = accountEndpoint(routes.updateStaffSchedule).handler(({ principal, params, body }) =>
  updateStaffSchedule(principal, params, body),
);
