import * as routes from '../../contract/integration/routes.ts';
import { createHold } from '../../core/availability/holds.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.createHold).handler(({ principal, body }) => createHold(principal, body));
