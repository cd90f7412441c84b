/**
 * Authorization code flow with PKCE for browsers, as in the managed login of a user pool: authorize, page, token,
 * refresh with rotation, user info, revocation and sign-out. What the template's client does not allow is rejected, but
 * a registered loopback address may have the port of this run, because the port differs between runs.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { isLoopbackUrl } from './foreign-requests.ts';
import type { GatewayAnswer } from './http-event.ts';
import { pageAnswer } from './pages.ts';
import { back, json, redirect, type SignInRequest } from './sign-in-answer.ts';
import { errorPage, signInPage } from './sign-in-page.ts';

/** A person who may sign in. */
export interface Person {
  readonly sub: string;
  readonly email: string;
  readonly name: string;
  /** The claims of the ID token in addition to the standard ones. */
  readonly claims: Readonly<Record<string, string>>;
}

/** The client as the template defines it. */
export interface SignInClient {
  readonly clientId: string;
  readonly callbackUrls: readonly string[];
  readonly logoutUrls: readonly string[];
  readonly scopes: readonly string[];
  /** The attributes of users that the client may read. Without them it may read the standard attributes. */
  readonly readAttributes: readonly string[] | undefined;
  /** How long a rotated refresh token may be used again, in case a response was lost. Without it none is rotated. */
  readonly graceSeconds: number | undefined;
}

type Endpoint = (request: SignInRequest) => GatewayAnswer | Promise<GatewayAnswer>;

const codeLifetimeMs = 5 * 60_000;
const tokenLifetimeSeconds = 3_600;
const cookieName = 'local-sign-in';

interface Code {
  readonly person: Person;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly nonce: string | null;
  readonly scope: string;
  readonly expiresAt: number;
}

/** One sign-in, which lasts as long as its refresh tokens are valid. */
interface Session {
  readonly person: Person;
  readonly scope: string;
  readonly authTime: number;
  ended: boolean;
}

/** The session of a refresh token, and the time of its first use. */
interface Refresh {
  readonly session: Session;
  usedAt?: number;
}

export interface SignIn {
  /** The endpoints by path below the issuer. */
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  /** The issuer's metadata, without its keys. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Allows a person to sign in. */
  addPerson(person: Person): void;
  /** Finds a person by address or subject. */
  find(name: string): Person | undefined;
  /** Removes a person, who can no longer sign in, and ends their refresh tokens. */
  removePerson(person: Person): void;
  /** Returns the addresses of the people who may sign in. */
  people(): readonly string[];
}

export function signIn(
  issuer: string,
  client: SignInClient,
  sign: (claims: JWTPayload) => Promise<string>,
  now: () => number = Date.now,
): SignIn {
  const people = new Map<string, Person>();
  const browsers = new Map<string, Person>();
  const codes = new Map<string, Code>();
  const refreshes = new Map<string, Refresh>();
  const accesses = new Map<string, Session>();

  function authorize({ query, cookie }: SignInRequest): GatewayAnswer {
    const refused = refusedOutright(query, client, issuer);
    if (refused) return pageAnswer(400, errorPage(refused));
    const problem = problemOf(query, client);
    if (problem) return back(query, problem);
    const isAsked = query.get('prompt') === 'login';
    // There is no password, so a hint that names a user signs that user in.
    const hinted = isAsked ? undefined : people.get(query.get('login_hint') ?? '');
    if (hinted) return enter(query, hinted);
    const person = isAsked ? undefined : browsers.get(cookieOf(cookie));
    if (person) return back(query, { code: newCode(query, person) });
    if (query.get('prompt') === 'none') return back(query, { error: 'login_required' });
    return pageAnswer(200, signInPage(`${issuer}/login`, [...people.values()], query));
  }

  function login({ method, form }: SignInRequest): GatewayAnswer {
    if (method !== 'POST') return pageAnswer(405, errorPage('Sign in through the page of the app.'));
    const refused = refusedOutright(form, client, issuer);
    if (refused) return pageAnswer(400, errorPage(refused));
    const problem = problemOf(form, client);
    if (problem) return back(form, problem);
    const person = people.get(form.get('username') ?? '');
    if (!person) return pageAnswer(400, errorPage('No user with this name may sign in.'));
    return enter(form, person);
  }

  function enter(parameters: URLSearchParams, person: Person): GatewayAnswer {
    const session = secret();
    browsers.set(session, person);
    const cookie = `${cookieName}=${session}; Path=${new URL(issuer).pathname}; HttpOnly; SameSite=Lax`;
    return { ...back(parameters, { code: newCode(parameters, person) }), cookies: [cookie] };
  }

  function newCode(parameters: URLSearchParams, person: Person): string {
    const code = secret();
    codes.set(code, {
      person,
      redirectUri: parameters.get('redirect_uri') ?? '',
      challenge: parameters.get('code_challenge') ?? '',
      nonce: parameters.get('nonce'),
      scope: parameters.get('scope') ?? client.scopes.join(' '),
      expiresAt: now() + codeLifetimeMs,
    });
    return code;
  }

  const grants = new Map<string | null, (form: URLSearchParams) => Promise<GatewayAnswer>>([
    ['authorization_code', exchangeCode],
    ['refresh_token', refreshTokens],
  ]);

  async function exchangeCode(form: URLSearchParams): Promise<GatewayAnswer> {
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const proven = code && challengeOf(form.get('code_verifier') ?? '') === code.challenge;
    if (!code || !proven || code.expiresAt <= now() || code.redirectUri !== form.get('redirect_uri')) {
      return json(400, { error: 'invalid_grant' });
    }
    const { person, scope, nonce } = code;
    return tokens({ person, scope, authTime: Math.floor(now() / 1_000), ended: false }, nonce);
  }

  async function refreshTokens(form: URLSearchParams): Promise<GatewayAnswer> {
    const refresh = refreshes.get(form.get('refresh_token') ?? '');
    const { graceSeconds } = client;
    const isLate = refresh?.usedAt !== undefined && refresh.usedAt + (graceSeconds ?? Infinity) * 1_000 < now();
    if (!refresh || refresh.session.ended || isLate) return json(400, { error: 'invalid_grant' });
    refresh.usedAt ??= now();
    return tokens(refresh.session, null, graceSeconds !== undefined);
  }

  async function token({ method, form }: SignInRequest): Promise<GatewayAnswer> {
    if (method !== 'POST') return json(405, { error: 'invalid_request' });
    if (form.get('client_id') !== client.clientId) return json(400, { error: 'invalid_client' });
    const grant = grants.get(form.get('grant_type'));
    return grant ? grant(form) : json(400, { error: 'unsupported_grant_type' });
  }

  async function tokens(session: Session, nonce: string | null, hasRefreshToken = true): Promise<GatewayAnswer> {
    const { person, scope, authTime } = session;
    const iat = Math.floor(now() / 1_000);
    const common = { iss: issuer, sub: person.sub, iat, exp: iat + tokenLifetimeSeconds, auth_time: authTime };
    const [idToken, accessToken] = await Promise.all([
      sign({
        ...common,
        ...readable({ ...person.claims, email: person.email, email_verified: true, name: person.name }, client),
        ...(nonce !== null && { nonce }),
        aud: client.clientId,
        token_use: 'id',
        'cognito:username': person.sub,
      }),
      sign({ ...common, client_id: client.clientId, token_use: 'access', scope, username: person.sub, jti: secret() }),
    ]);
    const refreshToken = secret();
    if (hasRefreshToken) refreshes.set(refreshToken, { session });
    accesses.set(accessToken, session);
    return json(200, {
      ...(scope.split(' ').includes('openid') && { id_token: idToken }),
      access_token: accessToken,
      ...(hasRefreshToken && { refresh_token: refreshToken }),
      token_type: 'Bearer',
      expires_in: tokenLifetimeSeconds,
    });
  }

  function userInfo({ authorization }: SignInRequest): GatewayAnswer {
    const session = accesses.get(authorization.replace(/^Bearer /, ''));
    if (!session || session.ended) return json(401, { error: 'invalid_token' });
    const { sub, email, name, claims } = session.person;
    return json(200, { sub, username: sub, ...readable({ ...claims, email, email_verified: 'true', name }, client) });
  }

  /** Ends the sign-in of a refresh token, even a rotated one. An unknown token is not an error (RFC 7009). */
  function revoke({ form }: SignInRequest): GatewayAnswer {
    const refresh = refreshes.get(form.get('token') ?? '');
    if (refresh) refresh.session.ended = true;
    return json(200, {});
  }

  function logout({ query, cookie }: SignInRequest): GatewayAnswer {
    const target = query.get('logout_uri') ?? '';
    if (query.get('client_id') !== client.clientId || !isRegistered(target, client.logoutUrls, issuer)) {
      return pageAnswer(
        400,
        errorPage('client_id and logout_uri must be those of the app: its user pool client lists them.'),
      );
    }
    browsers.delete(cookieOf(cookie));
    return {
      ...redirect(target),
      cookies: [`${cookieName}=; Path=${new URL(issuer).pathname}; HttpOnly; SameSite=Lax; Max-Age=0`],
    };
  }

  return {
    addPerson: (person) => void people.set(person.email, person),
    find: (name) => people.get(name) ?? [...people.values()].find(({ sub }) => sub === name),
    removePerson(person) {
      people.delete(person.email);
      for (const { session } of refreshes.values()) if (session.person === person) session.ended = true;
      for (const [cookie, one] of browsers) if (one === person) browsers.delete(cookie);
    },
    people: () => [...people.keys()],
    endpoints: {
      '/oauth2/authorize': authorize,
      '/login': login,
      '/oauth2/token': token,
      '/oauth2/userInfo': userInfo,
      '/oauth2/revoke': revoke,
      '/logout': logout,
    },
    metadata: {
      authorization_endpoint: `${issuer}/oauth2/authorize`,
      token_endpoint: `${issuer}/oauth2/token`,
      userinfo_endpoint: `${issuer}/oauth2/userInfo`,
      revocation_endpoint: `${issuer}/oauth2/revoke`,
      end_session_endpoint: `${issuer}/logout`,
      scopes_supported: client.scopes,
      grant_types_supported: [...grants.keys()],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    },
  };
}

/** Returns an error that is shown and not redirected, because the redirect address may be hostile. */
function refusedOutright(parameters: URLSearchParams, client: SignInClient, issuer: string): string | undefined {
  if (parameters.get('client_id') !== client.clientId) return 'No app has this client_id.';
  if (isRegistered(parameters.get('redirect_uri') ?? '', client.callbackUrls, issuer)) return undefined;
  return 'The user pool client does not list this redirect_uri.';
}

/** Returns an error that the app receives. */
function problemOf(parameters: URLSearchParams, { scopes }: SignInClient): Record<string, string> | undefined {
  if (parameters.get('response_type') !== 'code') return { error: 'unsupported_response_type' };
  const requested = parameters.get('scope')?.split(' ');
  if (requested?.some((scope) => !scopes.includes(scope))) return { error: 'invalid_scope' };
  const proof = parameters.get('code_challenge_method') === 'S256' && parameters.get('code_challenge');
  if (proof) return undefined;
  return { error: 'invalid_request', error_description: 'code_challenge with code_challenge_method=S256 is needed' };
}

/** An address of this run may differ from a registered one only in its loopback name and port. */
function isRegistered(address: string, registered: readonly string[], issuer: string): boolean {
  if (registered.includes(address)) return true;
  // The URL parser treats `\\` as a slash, as browsers do.
  const withoutOrigin = (url: string) => new URL(url).href.slice(new URL(url).origin.length);
  const loopback = registered.filter((url) => isLoopbackUrl(url));
  return isLoopbackUrl(address, issuer) && loopback.map(withoutOrigin).includes(withoutOrigin(address));
}

function cookieOf(header: string): string {
  return new RegExp(`(?:^|;\\s*)${cookieName}=([^;]+)`).exec(header)?.[1] ?? '';
}

/** Returns the claims that the client may read. */
function readable(claims: Record<string, unknown>, { readAttributes }: SignInClient): Record<string, unknown> {
  const isReadable = (name: string) => readAttributes?.includes(name) ?? !name.startsWith('custom:');
  return Object.fromEntries(Object.entries(claims).filter(([name]) => isReadable(name)));
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}
