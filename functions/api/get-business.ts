import * as routes from '../../contract/integration/routes.ts';
import { getBusiness } from '../../core/catalog/read.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.getBusiness).handler(({ principal }) => getBusiness(principal));
