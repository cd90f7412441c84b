import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { getStaffSchedule } from '../../core/setup/change-schedule.ts';

export const handler = accountEndpoint(routes.getStaffSchedule).handler(({ principal, params }) =>
  getStaffSchedule(principal, params),
);
