import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { idempotent } from '../../core/idempotency/idempotently.ts';
import { createResource } from '../../core/setup/change-resource.ts';

export const handler = accountEndpoint(routes.createResource).handler(
  idempotent(({ principal, body }, commit) => createResource(principal, body, commit)),
);
