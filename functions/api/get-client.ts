import * as routes from '../../contract/integration/routes.ts';
import { getClient } from '../../core/bookings/client-book.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.getClient).handler(({ principal, params }) => getClient(principal, params));
