import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { rotateSecret } from '../../core/webhooks/registry/signing-secret.ts';

export const handler = accountEndpoint(routes.rotateWebhookSecret).handler(({ principal, params, body }) =>
  rotateSecret(principal, params, body),
);
