import * as routes from '../../contract/integration/routes.ts';
import { listEventTypes } from '../../core/events/types.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.listEventTypes).handler(({ query }) => listEventTypes(query));
