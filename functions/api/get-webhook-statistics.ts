import * as routes from '../../contract/integration/routes.ts';
import { getWebhookStatistics } from '../../core/deliveries/statistics/webhook-statistics.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.getWebhookStatistics).handler(({ principal, params, query }) =>
  getWebhookStatistics(principal, params, query),
);
