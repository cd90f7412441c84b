import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { getStatistics } from '../../core/statistics/business-statistics.ts';

export const handler = accountEndpoint(routes.getStatistics).handler(({ principal, query }) =>
  getStatistics(principal, query),
);
