import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { createReview } from '../../core/reviews/create-review.ts';

export const handler = accountEndpoint(routes.createReview).handler(({ principal, body }) =>
  createReview(principal, body),
);
