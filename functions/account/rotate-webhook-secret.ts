import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';
import { forOwner } from '../../core/webhooks/registry/of-business.ts';
import { rotateSecret } from '../../core/webhooks/registry/signing-secret.ts';

export const handler = accountEndpoint(routes.rotateWebhookSecret).handler(({ owner, params }) =>
  forOwner(rotateSecret)(owner, params),
);
