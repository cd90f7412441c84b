import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/account-endpoint.ts';
import { refundPayment } from '../../core/payments/refund-payment.ts';

export const handler = accountEndpoint(routes.refundPayment).handler(({ owner, params, body, idempotencyKey }) =>
  refundPayment(owner, params, body, idempotencyKey),
);
