import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { getPaymentTotals } from '../../core/payments/totals.ts';

export const handler = accountEndpoint(routes.getPaymentTotals).handler(({ principal, query }) =>
  getPaymentTotals(principal, query),
);
