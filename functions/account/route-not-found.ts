import { accountRouteNotFound } from '../../core/http/account-route-not-found.ts';

export const handler = accountRouteNotFound();
