import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { removeColleague } from '../../core/team/remove.ts';

export const handler = accountEndpoint(routes.removeColleague).handler(({ principal, params }) =>
  removeColleague(principal, params),
);
