import * as routes from '../../contract/integration/routes.ts';
import { redeliver } from '../../core/deliveries/log/redeliver.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.redeliver).handler(({ principal, params }) => redeliver(principal, params));
