/**
 * Authorizers of HTTP APIs, from the security schemes of their bodies. An authorizer of an unknown type stops the
 * start, so that no route is open here and closed in the account.
 */
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import * as z from 'zod/mini';

/** A JWT authorizer, the only supported type. */
export const authorizer = z.strictObject({
  type: z.enum(['oauth2', 'openIdConnect']),
  flows: z.optional(z.strictObject({})),
  'x-amazon-apigateway-authorizer': z.strictObject({
    type: z.literal('jwt'),
    identitySource: z.literal('$request.header.Authorization'),
    jwtConfiguration: z.strictObject({ issuer: z.string(), audience: z.array(z.string()).check(z.minLength(1)) }),
  }),
});

/** The result of a check: the context that the function gets, or the gateway's refusal. */
export type Verdict =
  | { readonly ok: true; readonly context: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly status: 401 | 403; readonly message: string };

export type Check = (headers: Readonly<Record<string, string | string[] | undefined>>) => Promise<Verdict>;

const unauthorized: Verdict = { ok: false, status: 401, message: 'Unauthorized' };

/**
 * Returns a check that validates tokens as the gateway does
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html): the token is signed with
 * RSA by a published key of the issuer, names the issuer and one of the audiences, and has not expired. The keys are
 * fetched for the first token, and again for an unknown key id.
 */
export function checkOf(scheme: z.infer<typeof authorizer>): Check {
  const { issuer, audience: audiences } = scheme['x-amazon-apigateway-authorizer'].jwtConfiguration;
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined;
  return async ({ authorization }) => {
    const token = /^(?:Bearer\s+)?(\S+)$/i.exec(String(authorization ?? '').trim())?.[1];
    if (token === undefined) return unauthorized;
    try {
      keys ??= createRemoteJWKSet(await keysAddress(issuer));
      const { payload } = await jwtVerify(token, keys, { issuer, algorithms: ['RS256'], requiredClaims: ['exp'] });
      // Access tokens of Cognito have no audience; `client_id` names their client.
      const intended = [payload.aud ?? payload.client_id].flat().map(String);
      if (!intended.some((one) => audiences.includes(one))) return unauthorized;
      return { ok: true, context: { jwt: { claims: asText(payload), scopes: null } } };
    } catch (error) {
      if (error instanceof errors.JOSEError) return unauthorized;
      throw error;
    }
  };
}

async function keysAddress(issuer: string): Promise<URL> {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`);
  const { jwks_uri: address } = (await response.json()) as { jwks_uri?: string };
  if (!response.ok || !address) throw new Error(`The issuer ${issuer} does not publish the address of its keys.`);
  return new URL(address);
}

/** Functions get every claim as text; a list is written in brackets, separated by spaces. */
function asText(claims: JWTPayload): Record<string, string> {
  return Object.fromEntries(
    Object.entries(claims).map(([name, value]) => [
      name,
      Array.isArray(value) ? `[${value.join(' ')}]` : typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  );
}
