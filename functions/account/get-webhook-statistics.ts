import * as routes from '../../contract/account/routes.ts';
import { getWebhookStatistics } from '../../core/deliveries/statistics/webhook-statistics.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';
import { forOwner } from '../../core/webhooks/registry/of-business.ts';

export const handler = accountEndpoint(routes.getWebhookStatistics).handler(({ owner, params, query }) =>
  forOwner(getWebhookStatistics)(owner, params, query),
);
