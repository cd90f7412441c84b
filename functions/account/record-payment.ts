import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { idempotent } from '../../core/idempotency/idempotently.ts';
import { recordPayment } from '../../core/payments/record-payment.ts';

export const handler = accountEndpoint(routes.recordPayment).handler(
  idempotent(({ principal, body }, commit) => recordPayment(principal, body, commit)),
);
