import * as routes from '../../contract/integration/routes.ts';
import { endpoint } from '../../core/http/endpoint.ts';
import { rotateSecret } from '../../core/webhooks/registry/signing-secret.ts';

export const handler = endpoint(routes.rotateWebhookSecret).handler(({ principal, params, body }) =>
  rotateSecret(principal, params, body),
);
