import * as routes from '../../contract/account-routes.ts';
import { updateStaffSchedule } from '../../core/catalog/change-schedule.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';

export const handler = accountEndpoint(routes.updateStaffSchedule).handler(({ owner, params, body }) =>
  updateStaffSchedule(owner, params, body),
);
