import { listAudit as row } from '../../contract/account/routes.ts';
import { listAudit } from '../../core/audit/list.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';

export const handler = accountEndpoint(row).handler(({ principal, query }) => listAudit(principal, query));
