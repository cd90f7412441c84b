import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { idempotently } from '../../core/idempotency/idempotently.ts';
import { createResource } from '../../core/setup/change-resource.ts';

export const handler = accountEndpoint(routes.createResource).handler(({ principal, body, idempotencyKey }) =>
  idempotently(principal, idempotencyKey, { resource: body }, (commit) => createResource(principal, body, commit)),
);
