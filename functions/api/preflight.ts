import { allRoutes } from '../../contract/integration/api.ts';
import { preflight } from '../../core/http/preflight.ts';

export const handler = preflight(allRoutes);
