import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { replyToReview } from '../../core/reviews/create-review.ts';

export const handler = accountEndpoint(routes.replyToReview).handler(({ principal, params, body }) =>
  replyToReview(principal, params, body),
);
