import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { updateColleague } from '../../core/team/team.ts';

export const handler = accountEndpoint(routes.updateColleague).handler(({ principal, params, body }) =>
  updateColleague(principal, params, body),
);
