import { allRoutes } from '../../contract/integration/api.ts';
import { routeNotFound } from '../../core/http/not-found.ts';

export const handler = routeNotFound(allRoutes);
