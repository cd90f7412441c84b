/** Endpoints of the integration API. */
import type { Route } from '../../contract/define.ts';
import { integrationPrefix } from '../../contract/prefixes.ts';
import type { ApiKey } from '../keys/api-key.ts';
import type { KeyActor, Principal } from '../principal.ts';
import { endpointOf } from './endpoint-of.ts';
import { keyDoor } from './key-door.ts';
import { requireScope } from './require-scope.ts';

/**
 * @example
 * export const handler = endpoint(routes.createWebhook).handler(({ key, body }) => createWebhook(key, body));
 */
export const endpoint = endpointOf<{ readonly key: ApiKey; readonly principal: Principal<KeyActor> }, Route>(
  integrationPrefix,
  ({ scope }) => {
    const door = keyDoor();
    return { ...door, checks: [...door.checks, requireScope(scope)] };
  },
);
