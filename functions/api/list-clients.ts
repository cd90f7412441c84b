import * as routes from '../../contract/integration/routes.ts';
import { listClients } from '../../core/bookings/client-book.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.listClients).handler(({ principal, query }) => listClients(principal, query));
