import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { listTeam } from '../../core/team/team.ts';

export const handler = accountEndpoint(routes.listTeam).handler(({ principal, query }) => listTeam(principal, query));
