import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { idempotent } from '../../core/idempotency/idempotently.ts';
import { refundPayment } from '../../core/payments/refund-payment.ts';

export const handler = accountEndpoint(routes.refundPayment).handler(
  idempotent(({ principal, params, body }, commit) => refundPayment(principal, params, body, commit)),
);
