import * as routes from '../../contract/integration/routes.ts';
import { endpoint } from '../../core/http/endpoint.ts';
import { listReviews } from '../../core/reviews/list.ts';

export const handler = endpoint(routes.listReviews).handler(({ principal, query }) => listReviews(principal, query));
