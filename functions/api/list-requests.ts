import * as routes from '../../contract/integration/routes.ts';
import { endpoint } from '../../core/http/endpoint.ts';
import { listRequests } from '../../core/requests/list.ts';

export const handler = endpoint(routes.listRequests).handler(({ principal, query }) => listRequests(principal, query));
