import * as routes from '../../contract/integration/routes.ts';
import { getService } from '../../core/catalog/read.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.getService).handler(({ principal, params }) => getService(principal, params));
