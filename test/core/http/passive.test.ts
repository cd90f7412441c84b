/** A passive deployment answers every route with 503 in the common format, and uses no table. */
import { expect, test } from 'vitest';
import * as routes from '../../../contract/integration/routes.ts';
import type { LambdaHandler } from '../../../core/http/context.ts';
import { endpoint } from '../../../core/http/endpoint.ts';
import { accountRouteNotFound, routeNotFound } from '../../../core/http/not-found.ts';
import { preflight } from '../../../core/http/preflight.ts';
import { httpEvent, lambdaContext, requestTo } from '../../support/http.ts';

const handlers: readonly (readonly [string, LambdaHandler])[] = [
  ['requests to an endpoint', endpoint(routes.listServices).handler(() => ({ data: [], total: 0 }))],
  ['requests to an unknown path', routeNotFound([])],
  ['requests to an unknown path of the account API', accountRouteNotFound([])],
  ['CORS preflight requests', preflight()],
];

/** The environment names no table, so any access to one results in 500. */
async function ask(handler: LambdaHandler, passive: string | undefined) {
  const event = httpEvent(requestTo(routes.listServices, { headers: { 'x-api-key': `bk_live_${'0'.repeat(36)}` } }));
  const answer = await handler({ ...event, ...(passive && { stageVariables: { passive } }) }, lambdaContext);
  return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(answer.body || '{}') };
}

test.each(handlers)(
  'A deployment in the passive region, unlike one in the active region, refuses %s with 503 and Retry-After: 60',
  async (_, handler) => {
    expect(await ask(handler, 'true')).toMatchObject({
      status: 503,
      headers: { 'Retry-After': '60' },
      body: { statusCode: 503, code: 'temporarily_unavailable', retryAfter: 60 },
    });
    for (const passive of ['false', undefined]) expect((await ask(handler, passive)).body.retryAfter).not.toBe(60);
  },
);
