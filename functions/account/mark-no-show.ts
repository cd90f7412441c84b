import * as routes from '../../contract/account/routes.ts';
import { markNoShow } from '../../core/bookings/progress.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(routes.markNoShow).handler(({ principal, params }) =>
  markNoShow(principal, params),
);
