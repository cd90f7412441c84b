import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { listWebhooks } from '../../core/webhooks/registry/read.ts';

export const handler = accountEndpoint(routes.listWebhooks).handler(({ principal, query }) =>
  listWebhooks(principal, query),
);
