import * as routes from '../../contract/integration/routes.ts';
import { listServices } from '../../core/catalog/read.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.listServices).handler(({ principal, query }) => listServices(principal, query));
