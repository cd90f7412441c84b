/** Calls the handlers of the account API as the gateway does after it has checked the owner's token. */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod/mini';
import type * as accountRows from '../../contract/account/routes.ts';
import { type EventName, events } from '../../contract/events.ts';
import { fileName } from '../../contract/integration/api.ts';
import type { Event } from '../../core/events/event.ts';
import type { LambdaHandler } from '../../core/http/context.ts';
import type { Api } from '../../lib/apis.ts';
import { httpEvent, lambdaContext, type Received, received, type Sent } from './http.ts';

export type AccountOperation = keyof typeof accountRows;

/** The event with the claims of a token, as the JWT authorizer passes them. Without claims it has no authorizer. */
export function withClaims(
  event: APIGatewayProxyEventV2,
  claims: Readonly<Record<string, unknown>> | undefined,
): APIGatewayProxyEventV2 {
  if (!claims) return event;
  return {
    ...event,
    requestContext: { ...event.requestContext, authorizer: { jwt: { claims, scopes: null } } },
  } as APIGatewayProxyEventV2;
}

export async function invoke(
  operation: AccountOperation | 'routeNotFound',
  claims: Readonly<Record<string, unknown>> | undefined,
  sent: Sent = {},
): Promise<Received> {
  const file = `../../functions/account/${fileName(operation)}.ts`;
  const { handler } = (await import(file)) as { handler: LambdaHandler };
  return received(await handler(withClaims(httpEvent(sent), claims), lambdaContext));
}

/** Calls the function of a row of either API, as a key of the business or as its owner. */
export async function callRow(
  { folder, operation }: Pick<Api, 'folder'> & { readonly operation: string },
  { tenantId, key }: { readonly tenantId: number; readonly key: string },
  sent: Sent,
  context = lambdaContext,
): Promise<Received> {
  const file = `../../functions/${folder}/${fileName(operation)}.ts`;
  const { handler } = (await import(file)) as { handler: LambdaHandler };
  const byOwner = withClaims(httpEvent(sent), { sub: 'owner', 'custom:businessId': String(tenantId) });
  const byKey = httpEvent({ ...sent, headers: { ...sent.headers, 'x-api-key': key } });
  return received(await handler(folder === 'account' ? byOwner : byKey, context));
}

/** The owner of one business. `owner('createService', { body })` returns what the gateway would return. */
export function ownerOf(tenantId: number) {
  return (operation: AccountOperation | 'routeNotFound', sent: Sent = {}): Promise<Received> =>
    invoke(operation, { sub: 'owner', 'custom:businessId': String(tenantId) }, sent);
}

export function at(id: unknown): { params: { id: string } } {
  return { params: { id: String(id) } };
}

/** The problems in the data of events, according to the schemas that `GET /webhooks/events` publishes. */
export function eventProblems(raised: readonly Event[]): string[] {
  return raised.flatMap(({ name, data }) => {
    const result = z.safeParse(events[name].data, data);
    return result.success ? [] : [`${name}: ${JSON.stringify(result.error.issues)}`];
  });
}

export function counts(raised: readonly Event[]): Partial<Record<EventName, number>> {
  const found: Partial<Record<EventName, number>> = {};
  for (const { name } of raised) found[name] = (found[name] ?? 0) + 1;
  return found;
}
