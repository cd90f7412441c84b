import * as routes from '../../contract/integration/routes.ts';
import { createSession } from '../../core/bookings/open-session.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.createSession).handler(({ principal, body }) => createSession(principal, body));
