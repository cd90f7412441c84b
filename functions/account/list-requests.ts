import { listRequests as row } from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { listRequests } from '../../core/requests/list.ts';

export const handler = accountEndpoint(row).handler(({ principal, query }) => listRequests(principal, query));
