import * as routes from '../../contract/account/routes.ts';
import { listStaff } from '../../core/catalog/read.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { weekOf } from '../../core/setup/change-schedule.ts';

export const handler = accountEndpoint(routes.listStaff).handler(({ principal, query }) =>
  listStaff(principal, query, query.weekFrom === undefined ? undefined : weekOf(query.weekFrom)),
);
