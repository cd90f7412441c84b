import * as routes from '../../contract/account/routes.ts';
import { getWebhookStatistics } from '../../core/deliveries/statistics/webhook-statistics.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.getWebhookStatistics).handler(({ principal, params, query }) =>
  getWebhookStatistics(principal, params, query),
);
