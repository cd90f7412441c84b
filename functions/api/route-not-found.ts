import { routeNotFound } from '../../core/http/route-not-found.ts';

export const handler = routeNotFound();
