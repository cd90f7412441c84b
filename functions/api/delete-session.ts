import * as routes from '../../contract/integration/routes.ts';
import { deleteSession } from '../../core/bookings/open-session.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.deleteSession).handler(({ principal, params }) =>
  deleteSession(principal, params),
);
