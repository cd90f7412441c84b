import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { idempotent } from '../../core/idempotency/idempotently.ts';
import { createService } from '../../core/setup/change-service.ts';

export const handler = accountEndpoint(routes.createService).handler(
  idempotent(({ principal, body }, commit) => createService(principal, body, commit)),
);
