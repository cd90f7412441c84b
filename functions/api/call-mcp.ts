import * as routes from '../../contract/integration/routes.ts';
import { serveTools } from '../../core/agents/serve-tools.ts';
import { tools } from '../generated/tools.ts';

export const handler = serveTools(routes.callMcp, tools);
