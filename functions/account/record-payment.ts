import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { recordPayment } from '../../core/payments/record-payment.ts';

export const handler = accountEndpoint(routes.recordPayment).handler(({ principal, body, idempotencyKey }) =>
  recordPayment(principal, body, idempotencyKey),
);
