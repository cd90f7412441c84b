import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';
import { forOwner, showingKey } from '../../core/webhooks/registry/of-business.ts';
import { updateWebhook } from '../../core/webhooks/registry/update-webhook.ts';

export const handler = accountEndpoint(routes.updateWebhook).handler(({ owner, params, body }) =>
  forOwner(showingKey(updateWebhook))(owner, params, body),
);
