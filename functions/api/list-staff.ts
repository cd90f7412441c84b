import * as routes from '../../contract/integration/routes.ts';
import { listStaff } from '../../core/catalog/read.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.listStaff).handler(({ principal, query }) => listStaff(principal, query));
