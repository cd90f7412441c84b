import * as routes from '../../contract/integration/routes.ts';
import { endpoint } from '../../core/http/endpoint.ts';
import { listWebhooks } from '../../core/webhooks/registry/read.ts';

export const handler = endpoint(routes.listWebhooks).handler(({ principal, query }) => listWebhooks(principal, query));
