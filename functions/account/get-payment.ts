import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { getPayment } from '../../core/payments/read-payments.ts';

export const handler = accountEndpoint(routes.getPayment).handler(({ principal, params }) =>
  getPayment(principal, params),
);
