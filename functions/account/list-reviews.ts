import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { listReviews } from '../../core/reviews/list.ts';

export const handler = accountEndpoint(routes.listReviews).handler(({ principal, query }) =>
  listReviews(principal, query),
);
