import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { triggerEvent } from '../../core/sandbox/trigger.ts';

export const handler = accountEndpoint(routes.triggerEvent).handler(({ principal, body }) =>
  triggerEvent(principal, body),
);
