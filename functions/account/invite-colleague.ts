import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { inviteColleague } from '../../core/team/invite.ts';

export const handler = accountEndpoint(routes.inviteColleague).handler(({ principal, body }) =>
  inviteColleague(principal, body),
);
