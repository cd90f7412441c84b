import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { idempotently } from '../../core/idempotency/idempotently.ts';
import { createService } from '../../core/setup/change-service.ts';

export const handler = accountEndpoint(routes.createService).handler(({ principal, body, idempotencyKey }) =>
  idempotently(principal, idempotencyKey, { service: body }, (commit) => createService(principal, body, commit)),
);
