import * as routes from '../../contract/integration/routes.ts';
import { getDelivery } from '../../core/deliveries/log/detail.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.getDelivery).handler(({ principal, params }) => getDelivery(principal, params));
