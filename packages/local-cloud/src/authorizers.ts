/**
 * Authorizers of HTTP APIs: a table from type to check. A type that is not in the table stops the start, so that no
 * route is ever open here and closed in the account.
 */
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import * as z from 'zod/mini';
import { ignored, type Kind } from './kind.ts';
import type { Model } from './model.ts';

const authorizer = {
  type: 'AWS::ApiGatewayV2::Authorizer',
  properties: z.strictObject({
    ApiId: z.string(),
    AuthorizerType: z.string(),
    Name: z.string(),
    IdentitySource: z.optional(z.array(z.string())),
    JwtConfiguration: z.optional(z.strictObject({ Issuer: z.string(), Audience: z.optional(z.array(z.string())) })),
    AuthorizerPayloadFormatVersion: ignored,
  }),
} satisfies Kind;

export const authorizerKinds: readonly Kind[] = [authorizer];

export type AuthorizerProperties = z.infer<typeof authorizer.properties>;

/** The result of a check: the context that the function sees, or the gateway's own refusal. */
export type Verdict =
  | { readonly ok: true; readonly context: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly status: 401 | 403; readonly message: string };

export type Check = (headers: Readonly<Record<string, string | string[] | undefined>>) => Promise<Verdict>;

/** Type → how to make the check of one authorizer. */
const authorizerTypes: Readonly<Record<string, (properties: AuthorizerProperties) => Check>> = { JWT: jwtCheck };

/** The checks by the authorizer's id. */
export function readAuthorizers(model: Model): ReadonlyMap<string, Check> {
  return new Map(
    model.all(authorizer).map(({ name, logicalId, properties }) => {
      const make = authorizerTypes[properties.AuthorizerType];
      if (!make) {
        throw new Error(
          `The local run does not know the authorizer type ${properties.AuthorizerType} (${logicalId}): add it to packages/local-cloud/src/authorizers.ts.`,
        );
      }
      return [name, make(properties)];
    }),
  );
}

const unauthorized: Verdict = { ok: false, status: 401, message: 'Unauthorized' };

/**
 * As the gateway checks a token
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html): signed with RSA by a key
 * that the issuer publishes, of that issuer, for one of the audiences, and not expired. The issuer is asked for its keys
 * at the first token, and again for a key it did not show then.
 */
function jwtCheck({ IdentitySource: [source] = [], JwtConfiguration: jwt }: AuthorizerProperties): Check {
  if (source !== '$request.header.Authorization' || !jwt?.Audience?.length) {
    throw new Error('The local run knows JWT authorizers that read the Authorization header and name an audience.');
  }
  const { Issuer: issuer, Audience: audiences } = jwt;
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined;
  return async ({ authorization }) => {
    const token = /^(?:Bearer\s+)?(\S+)$/i.exec(String(authorization ?? '').trim())?.[1];
    if (token === undefined) return unauthorized;
    try {
      keys ??= createRemoteJWKSet(await keysAddress(issuer));
      const { payload } = await jwtVerify(token, keys, { issuer, algorithms: ['RS256'], requiredClaims: ['exp'] });
      // Access tokens of Cognito carry no audience, but the client they were made for.
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

/** Functions get every claim as text; a list in brackets, with blanks between. */
function asText(claims: JWTPayload): Record<string, string> {
  return Object.fromEntries(
    Object.entries(claims).map(([name, value]) => [
      name,
      Array.isArray(value) ? `[${value.join(' ')}]` : typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  );
}
