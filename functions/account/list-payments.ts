import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { listPayments } from '../../core/payments/read-payments.ts';

export const handler = accountEndpoint(routes.listPayments).handler(({ principal, query }) =>
  listPayments(principal, query),
);
