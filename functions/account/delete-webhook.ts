import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';
import { deleteWebhook } from '../../core/webhooks/registry/delete-webhook.ts';
import { forOwner } from '../../core/webhooks/registry/of-business.ts';

export const handler = accountEndpoint(routes.deleteWebhook).handler(({ owner, params }) =>
  forOwner(deleteWebhook)(owner, params),
);
