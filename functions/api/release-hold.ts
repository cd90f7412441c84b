import * as routes from '../../contract/integration/routes.ts';
import { releaseHold } from '../../core/availability/holds.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.releaseHold).handler(({ principal, params }) => releaseHold(principal, params));
