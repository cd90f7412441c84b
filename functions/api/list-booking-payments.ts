import * as routes from '../../contract/integration/routes.ts';
import { endpoint } from '../../core/http/endpoint.ts';
import { listBookingPayments } from '../../core/payments/read-payments.ts';

export const handler = endpoint(routes.listBookingPayments).handler(({ principal, params, query }) =>
  listBookingPayments(principal, params, query),
);
