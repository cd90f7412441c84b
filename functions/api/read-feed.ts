import * as routes from '../../contract/integration/routes.ts';
import { readFeed } from '../../core/deliveries/feed/read-feed.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.readFeed).handler(({ principal, params, query }) =>
  readFeed(principal, params, query),
);
