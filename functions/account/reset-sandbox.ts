import * as routes from '../../contract/account/routes.ts';
import { accountEndpoint } from '../../core/http/endpoint.ts';
import { resetSandbox } from '../../core/sandbox/reset.ts';

export const handler = accountEndpoint(routes.resetSandbox).handler(({ principal }) => resetSandbox(principal));
