import * as routes from '../../contract/integration/routes.ts';
import { explainSlot } from '../../core/availability/explain.ts';
import { endpoint } from '../../core/http/endpoint.ts';

export const handler = endpoint(routes.explainSlot).handler(({ principal, query }) => explainSlot(principal, query));
