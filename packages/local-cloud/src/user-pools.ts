/**
 * Token issuers: a Cognito user pool of the templates signs with a key pair that is generated at the start, publishes
 * its OpenID Connect metadata and public key, and signs people in.
 */
import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import * as z from 'zod/mini';
import { AwsError } from './aws-error.ts';
import { type Body, userPoolArn } from './aws-permissions.ts';
import { isLoopbackUrl } from './foreign-requests.ts';
import type { HttpApis } from './http-api.ts';
import { decodedPath, type GatewayAnswer, type GatewayRequest, jsonAnswer } from './http-event.ts';
import { ignored, type Kind, number } from './kind.ts';
import type { Model } from './model.ts';
import { type Person, type SignIn, signIn } from './sign-in.ts';

/** The path of the issuers below the address of the local run; the pool's name follows, as in Cognito. */
const issuersPath = '/_local/issuers/';
const algorithm = 'RS256';
const keyId = 'local';

const userPool = {
  type: 'AWS::Cognito::UserPool',
  nameProperty: 'UserPoolName',
  attribute: (attribute, name, { baseUrl }) =>
    ({ ProviderURL: `${baseUrl}${issuersPath}${name}`, ProviderName: name, UserPoolId: name, Arn: userPoolArn(name) })[
      attribute
    ],
  properties: z.strictObject({
    UserPoolName: z.optional(z.string()),
    Schema: z._default(z.array(z.looseObject({ Name: z.string() })), []),
    // Verification and messages have no effect: no one proves an identity here.
    AccountRecoverySetting: ignored,
    AdminCreateUserConfig: ignored,
    AutoVerifiedAttributes: ignored,
    DeletionProtection: ignored,
    EmailVerificationMessage: ignored,
    EmailVerificationSubject: ignored,
    EnabledMfas: ignored,
    MfaConfiguration: ignored,
    Policies: ignored,
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
    AllowedOAuthFlows: z.optional(z.tuple([z.literal('code')])),
    AllowedOAuthScopes: z._default(z.array(z.string()), []),
    CallbackURLs: z._default(z.array(z.string()), []),
    LogoutURLs: z._default(z.array(z.string()), []),
    ReadAttributes: z.optional(z.array(z.string())),
    RefreshTokenRotation: z.optional(
      z.strictObject({ Feature: z.string(), RetryGracePeriodSeconds: z._default(number, 0) }),
    ),
    AccessTokenValidity: ignored,
    AllowedOAuthFlowsUserPoolClient: ignored,
    EnableTokenRevocation: ignored,
    ExplicitAuthFlows: ignored,
    IdTokenValidity: ignored,
    PreventUserExistenceErrors: ignored,
    RefreshTokenValidity: ignored,
    SupportedIdentityProviders: ignored,
    TokenValidityUnits: ignored,
    WriteAttributes: ignored,
  }),
} satisfies Kind;

/** Here the pages of a pool are below its issuer. */
const userPoolDomain = {
  type: 'AWS::Cognito::UserPoolDomain',
  nameProperty: 'Domain',
  properties: z.strictObject({ Domain: z.string(), UserPoolId: z.string(), ManagedLoginVersion: ignored }),
} satisfies Kind;

export const userPoolKinds: readonly Kind[] = [userPool, userPoolClient, userPoolDomain];

/** The first user pool with a client. */
export interface TokenIssuer {
  readonly issuer: string;
  /** The client id that the tokens are for. */
  readonly audience: string;
  /** Signs any claims with the issuer's key, without adding `iss`, `aud` or `exp`. */
  sign(claims: JWTPayload): Promise<string>;
  /** Allows a person to sign in. */
  addPerson(person: Person): void;
}

export interface Issuers {
  /** Absent if the templates name an external issuer. */
  readonly tokens: TokenIssuer | undefined;
  /** Executes `AdminCreateUser` and similar operations. No email is sent. */
  administer(operation: string, body: Body): Record<string, unknown>;
  /** Answers requests below the issuers' path. */
  answer(request: GatewayRequest): Promise<GatewayAnswer | undefined>;
}

/** Makes the key pair of all issuers. It takes a tenth of a second, so a run begins it before it knows its user pools. */
export const newKeyPair = () => generateKeyPair(algorithm);

export async function createIssuers(model: Model, keyPair: ReturnType<typeof newKeyPair>): Promise<Issuers> {
  const { publicKey, privateKey } = await keyPair;
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: keyId, alg: algorithm, use: 'sig' }] };
  const sign = (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid: keyId, typ: 'JWT' }).sign(privateKey);

  const clients = model.all(userPoolClient).map(({ name, properties }) => {
    const issuer = issuerOf(model, properties.UserPoolId);
    const { Feature, RetryGracePeriodSeconds } = properties.RefreshTokenRotation ?? {};
    const flow = signIn(
      issuer,
      {
        clientId: name,
        callbackUrls: properties.CallbackURLs,
        logoutUrls: properties.LogoutURLs,
        scopes: properties.AllowedOAuthScopes,
        readAttributes: properties.ReadAttributes,
        graceSeconds: Feature === 'ENABLED' ? RetryGracePeriodSeconds : undefined,
      },
      sign,
    );
    const origins = new Set(properties.CallbackURLs.map((url) => new URL(url).origin).filter((one) => one !== 'null'));
    return { issuer, audience: name, sign, addPerson: flow.addPerson, flow, origins };
  });
  const pools = clients.map(({ issuer }) => issuer);
  if (new Set(pools).size < pools.length) throw new Error('The local run supports only one client of each user pool.');
  const endpoints = new Map<string, SignIn['endpoints'][string]>();
  for (const { name } of model.all(userPool)) {
    const issuer = issuerOf(model, name);
    const { flow } = clients.find((client) => client.issuer === issuer) ?? {};
    const path = new URL(issuer).pathname;
    for (const [below, endpoint] of Object.entries(flow?.endpoints ?? {})) endpoints.set(path + below, endpoint);
    const metadata = {
      issuer,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      id_token_signing_alg_values_supported: [algorithm],
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      ...flow?.metadata,
    };
    endpoints.set(`${path}/.well-known/jwks.json`, () => jsonAnswer(200, keys));
    endpoints.set(`${path}/.well-known/openid-configuration`, () => jsonAnswer(200, metadata));
  }

  async function answerAt(path: string, request: GatewayRequest): Promise<GatewayAnswer> {
    if (request.method === 'OPTIONS') return { status: 204, headers: {}, cookies: [], body: Buffer.alloc(0) };
    // The people who may sign in, for programs on this machine that act as one of them.
    if (path === issuersPath)
      return jsonAnswer(
        200,
        clients.map(({ issuer, audience, flow }) => ({ issuer, clientId: audience, people: flow.people() })),
      );
    return endpoints.get(path)?.(signInRequest(request)) ?? jsonAnswer(404, { message: 'Not Found' });
  }

  function administer(operation: string, { UserPoolId, Username, UserAttributes }: Body): Record<string, unknown> {
    const { flow } = clients.find((client) => client.issuer === issuerOf(model, String(UserPoolId))) ?? {};
    const pool = model.all(userPool).find(({ name }) => name === UserPoolId);
    if (!flow || !pool) throw new AwsError('ResourceNotFoundException', 'User pool does not exist.');
    const custom = new Set(pool.properties.Schema.map(({ Name }) => `custom:${Name}`));
    const found = flow.find(String(Username));
    if (operation === 'AdminCreateUser') {
      if (found) throw new AwsError('UsernameExistsException', 'User account already exists');
      const attributes = attributeList.parse(UserAttributes);
      const unknown = attributes.find(({ Name }) => Name.startsWith('custom:') && !custom.has(Name));
      if (unknown) throw new AwsError('InvalidParameterException', `The user pool has no attribute ${unknown.Name}.`);
      const person = newPerson(attributes);
      flow.addPerson(person);
      return { User: { Username: person.sub, Attributes: attributesOf(person), UserStatus: 'FORCE_CHANGE_PASSWORD' } };
    }
    if (!found) throw new AwsError('UserNotFoundException', 'User does not exist.');
    if (operation === 'AdminGetUser') return { Username: found.sub, UserAttributes: attributesOf(found) };
    if (operation !== 'AdminDeleteUser') {
      throw new AwsError('UnknownOperationException', `The local run does not support ${operation}.`);
    }
    flow.removePerson(found);
    return {};
  }

  return {
    tokens: clients[0],
    administer,
    async answer(request) {
      const path = decodedPath(request.target) ?? '';
      if (!path.startsWith(issuersPath)) return undefined;
      const origin = headerOf(request, 'origin');
      if (origin === '') return answerAt(path, request);
      // The responses contain tokens: only pages of this run and of apps that the templates name may read them.
      const isOwn = clients.some(({ issuer, origins }) => isLoopbackUrl(origin, issuer) || origins.has(origin));
      if (!isOwn) return jsonAnswer(403, { message: 'Forbidden' });
      const answer = await answerAt(path, request);
      const cors = {
        'access-control-allow-origin': origin,
        'access-control-allow-headers': 'authorization, content-type',
        vary: 'Origin',
      };
      return { ...answer, headers: { ...answer.headers, ...cors } };
    },
  };
}

const attributeList = z.array(z.strictObject({ Name: z.string(), Value: z.string() }));

function newPerson(given: z.infer<typeof attributeList>): Person {
  const {
    email = '',
    name = email,
    email_verified: _,
    ...claims
  } = Object.fromEntries(given.map(({ Name, Value }) => [Name, Value]));
  return { sub: randomUUID(), email, name, claims };
}

function attributesOf({ sub, email, claims }: Person) {
  return Object.entries({ sub, email, email_verified: 'true', ...claims }).map(([Name, Value]) => ({ Name, Value }));
}

function signInRequest(request: GatewayRequest) {
  return {
    method: request.method,
    query: new URLSearchParams(request.target.split('?')[1] ?? ''),
    form: new URLSearchParams(request.body.toString()),
    cookie: headerOf(request, 'cookie'),
    authorization: headerOf(request, 'authorization'),
  };
}

function headerOf({ rawHeaders }: GatewayRequest, wanted: string): string {
  return rawHeaders.find((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === wanted) ?? '';
}

function issuerOf({ addresses }: Model, pool: string): string {
  return `${addresses.baseUrl}${issuersPath}${pool}`;
}

/** Returns the APIs with the issuers on the same port. */
export function withIssuers(issuers: Issuers, apis: HttpApis): HttpApis {
  return { answer: async (request, headers) => (await issuers.answer(request)) ?? apis.answer(request, headers) };
}
