import * as routes from '../../contract/account-routes.ts';
import { getStaffSchedule } from '../../core/catalog/change-schedule.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';

export const handler = accountEndpoint(routes.getStaffSchedule).handler(({ owner, params }) =>
  getStaffSchedule(owner, params),
);
