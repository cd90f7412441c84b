import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { refundPayment } from '../../core/payments/refund-payment.ts';

export const handler = accountEndpoint(routes.refundPayment).handler(({ principal, params, body, idempotencyKey }) =>
  refundPayment(principal, params, body, idempotencyKey),
);
