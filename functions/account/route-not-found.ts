import { accountRoutes } from '../../contract/account/api.ts';
import { accountRouteNotFound } from '../../core/http/not-found.ts';

export const handler = accountRouteNotFound(accountRoutes);
