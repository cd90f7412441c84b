/**
 * Issuers of tokens: a Cognito user pool of the templates signs with a key pair made at the start, and publishes its
 * metadata and its public key where every OpenID Connect issuer does.
 */
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import * as z from 'zod/mini';
import type { HttpApis } from './http-api.ts';
import { decodedPath, type GatewayAnswer } from './http-event.ts';
import { ignored, type Kind } from './kind.ts';
import type { Model } from './model.ts';

/** Below the address of the local run; behind it comes the pool's name, as behind Cognito's own address. */
const issuersPath = '/_local/issuers/';
const algorithm = 'RS256';
const keyId = 'local';

const userPool = {
  type: 'AWS::Cognito::UserPool',
  nameProperty: 'UserPoolName',
  attribute: (attribute, name, { baseUrl }) =>
    ({ ProviderURL: `${baseUrl}${issuersPath}${name}`, ProviderName: name, UserPoolId: name })[attribute],
  properties: z.strictObject({
    UserPoolName: z.optional(z.string()),
    // How people sign in, and what they are sent: nobody signs in here.
    AccountRecoverySetting: ignored,
    AdminCreateUserConfig: ignored,
    AutoVerifiedAttributes: ignored,
    DeletionProtection: ignored,
    EmailVerificationMessage: ignored,
    EmailVerificationSubject: ignored,
    EnabledMfas: ignored,
    MfaConfiguration: ignored,
    Policies: ignored,
    Schema: ignored,
    SmsVerificationMessage: ignored,
    UserAttributeUpdateSettings: ignored,
    UserPoolAddOns: ignored,
    UserPoolTags: ignored,
    UserPoolTier: ignored,
    UsernameAttributes: ignored,
    UsernameConfiguration: ignored,
    VerificationMessageTemplate: ignored,
  }),
} satisfies Kind;

const userPoolClient = {
  type: 'AWS::Cognito::UserPoolClient',
  nameProperty: 'ClientName',
  attribute: (attribute, name) => ({ ClientId: name, Name: name })[attribute],
  properties: z.strictObject({
    UserPoolId: z.string(),
    ClientName: z.optional(z.string()),
    AccessTokenValidity: ignored,
    AllowedOAuthFlowsUserPoolClient: ignored,
    EnableTokenRevocation: ignored,
    ExplicitAuthFlows: ignored,
    IdTokenValidity: ignored,
    PreventUserExistenceErrors: ignored,
    ReadAttributes: ignored,
    RefreshTokenRotation: ignored,
    RefreshTokenValidity: ignored,
    SupportedIdentityProviders: ignored,
    TokenValidityUnits: ignored,
    WriteAttributes: ignored,
  }),
} satisfies Kind;

export const userPoolKinds: readonly Kind[] = [userPool, userPoolClient];

/** The first user pool with a client. */
export interface TokenIssuer {
  readonly issuer: string;
  /** The client that tokens are made for. */
  readonly audience: string;
  /** Signs any claims with the issuer's key. They say everything: `iss`, `aud` and `exp` are not added. */
  sign(claims: JWTPayload): Promise<string>;
}

export interface Issuers {
  /** Nothing when the templates name an issuer of somebody else. */
  readonly tokens: TokenIssuer | undefined;
  /** Answers what is below the issuers' path. */
  answer(path: string): GatewayAnswer | undefined;
}

export async function standUpIssuers(model: Model): Promise<Issuers> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm);
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: keyId, alg: algorithm, use: 'sig' }] };
  const documents = new Map<string, unknown>();
  for (const { name } of model.all(userPool)) {
    const issuer = issuerOf(model, name);
    const path = new URL(issuer).pathname;
    documents.set(`${path}/.well-known/jwks.json`, keys);
    documents.set(`${path}/.well-known/openid-configuration`, {
      issuer,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      id_token_signing_alg_values_supported: [algorithm],
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
    });
  }

  const [client] = model.all(userPoolClient);
  const sign = (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid: keyId, typ: 'JWT' }).sign(privateKey);
  return {
    tokens: client && { issuer: issuerOf(model, client.properties.UserPoolId), audience: client.name, sign },
    answer(path) {
      if (!path.startsWith(issuersPath)) return undefined;
      const document = documents.get(path);
      return {
        status: document ? 200 : 404,
        headers: { 'content-type': 'application/json' },
        cookies: [],
        body: Buffer.from(JSON.stringify(document ?? { message: 'Not Found' })),
      };
    },
  };
}

function issuerOf({ place }: Model, pool: string): string {
  return `${place.baseUrl}${issuersPath}${pool}`;
}

/** The APIs, with the issuers on the same port. */
export function behindIssuers(issuers: Issuers, apis: HttpApis): HttpApis {
  return {
    answer: async (request, headers) =>
      issuers.answer(decodedPath(request.target) ?? '') ?? apis.answer(request, headers),
  };
}
