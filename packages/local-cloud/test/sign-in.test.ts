import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { buildModel } from '../src/model.ts';
import { resourceKinds } from '../src/resource-kinds.ts';
import { signIn } from '../src/sign-in.ts';
import type { SignInRequest } from '../src/sign-in-answer.ts';
import type { Template } from '../src/templates.ts';
import { createIssuers, newKeyPair } from '../src/user-pools.ts';

const issuer = 'http://127.0.0.1:8787/_local/issuers/owners';
const callbackUrls = ['https://app.example/in', 'http://localhost:3000/in'];
const scopes = ['openid', 'email'];
const readAttributes = ['email', 'custom:businessId'];
const client = { clientId: 'app', callbackUrls, logoutUrls: [], scopes, readAttributes, graceSeconds: 10 };
const person = { sub: '1', email: 'jane@example.com', name: 'Jane <Doe>', claims: { 'custom:businessId': '7' } };
const verifier = 'v'.repeat(43);

const codeFlow = { client_id: 'app', response_type: 'code', code_challenge: 'x', code_challenge_method: 'S256' };

function begin(changes: Partial<Parameters<typeof signIn>[1]> = {}) {
  let time = Date.UTC(2026, 11, 1);
  const flow = signIn(
    issuer,
    { ...client, ...changes },
    async (claims) => JSON.stringify(claims),
    () => time,
  );
  flow.addPerson(person);
  const send = async (path: string, form: Readonly<Record<string, string>>, method = 'POST', cookie = '') => {
    const request: SignInRequest = {
      method,
      query: new URLSearchParams(method === 'GET' ? form : {}),
      form: new URLSearchParams(method === 'POST' ? form : {}),
      cookie,
      authorization: '',
    };
    const answer = await flow.endpoints[path]?.(request);
    if (!answer) throw new Error(`Nothing answers at ${path}`);
    return { ...answer, json: () => JSON.parse(String(answer.body)) as Record<string, string> };
  };
  const refresh = (refresh_token = '') =>
    send('/oauth2/token', { grant_type: 'refresh_token', client_id: 'app', refresh_token });
  return {
    send,
    refresh,
    wait: (seconds: number) => {
      time += seconds * 1_000;
    },
    async code(changes: Readonly<Record<string, string>> = {}): Promise<string> {
      const code_challenge = createHash('sha256').update(verifier).digest('base64url');
      const request = { ...codeFlow, redirect_uri: 'https://app.example/in', code_challenge };
      const answer = await send('/login', { ...request, ...changes, username: person.email });
      return new URL(answer.headers.location ?? '').searchParams.get('code') ?? '';
    },
    tokens: (code: string, changes: Readonly<Record<string, string>> = {}) =>
      send('/oauth2/token', {
        grant_type: 'authorization_code',
        client_id: 'app',
        redirect_uri: 'https://app.example/in',
        code_verifier: verifier,
        code,
        ...changes,
      }),
  };
}

test('A browser that has signed in at the local token issuer sees no sign-in form until it signs out', async () => {
  const { send } = begin({ logoutUrls: ['https://app.example/out'] });
  const request = { ...codeFlow, redirect_uri: 'https://app.example/in' };
  const { cookies: [set = ''] = [] } = await send('/login', { ...request, username: person.email });
  const cookie = set.split(';')[0];
  const again = async (sent = cookie) => (await send('/oauth2/authorize', request, 'GET', sent)).status;
  expect([await again(), await again('')]).toEqual([302, 200]);
  const signOut = async (logout_uri: string) =>
    (await send('/logout', { client_id: 'app', logout_uri }, 'GET', cookie)).status;
  expect([await signOut('https://other.example/'), await again()]).toEqual([400, 302]);
  expect([await signOut('https://app.example/out'), await again()]).toEqual([302, 200]);
});

test('An authorization code of the local sign-in expires after five minutes', async () => {
  const { code, tokens, wait } = begin();
  const [early, late] = [await code(), await code()];
  wait(299);
  expect((await tokens(early)).status).toBe(200);
  wait(1);
  expect((await tokens(late)).json()).toEqual({ error: 'invalid_grant' });
});

test('The local token issuer exchanges an authorization code once, and only with its PKCE verifier, redirect URI and client', async () => {
  const { code, tokens } = begin();
  const valid = await code();
  expect([(await tokens(valid)).status, (await tokens(valid)).status]).toEqual([200, 400]);
  for (const wrong of [
    { code_verifier: 'x'.repeat(43) },
    { redirect_uri: 'http://localhost:3000/in' },
    { client_id: 'another' },
    { code: 'made-up' },
  ]) {
    expect((await tokens(await code(), wrong)).status, JSON.stringify(wrong)).toBe(400);
  }
});

test('A refresh token of the local token issuer can be used a second time only within ten seconds', async () => {
  const { code, tokens, refresh, wait } = begin();
  const first = (await tokens(await code())).json().refresh_token;
  const second = (await refresh(first)).json().refresh_token;
  expect(second).not.toBe(first);
  wait(10);
  expect((await refresh(first)).status).toBe(200);
  wait(1);
  expect((await refresh(first)).json()).toEqual({ error: 'invalid_grant' });
  expect((await refresh(second)).status).toBe(200);
});

test('Without refresh token rotation, the local token issuer sends no new refresh token, and the old one stays valid', async () => {
  const { code, tokens, refresh, wait } = begin({ graceSeconds: undefined });
  const only = (await tokens(await code())).json().refresh_token;
  expect((await refresh(only)).json()).not.toHaveProperty('refresh_token');
  wait(86_400);
  expect((await refresh(only)).status).toBe(200);
});

test('Revoking one refresh token of the local token issuer ends all refresh tokens of the same sign-in', async () => {
  const { code, tokens, refresh, send } = begin();
  const first = (await tokens(await code())).json().refresh_token;
  const second = (await refresh(first)).json().refresh_token ?? '';
  expect((await send('/oauth2/revoke', { token: second })).status).toBe(200);
  for (const token of [first, second]) expect((await refresh(token)).json()).toEqual({ error: 'invalid_grant' });
  expect((await send('/oauth2/revoke', { token: 'unknown' })).status).toBe(200);
});

test('The ID token of a local sign-in contains the custom claims of the user, and the access token does not', async () => {
  const { code, tokens, refresh } = begin();
  const { id_token = '{}', access_token = '{}', refresh_token } = (await tokens(await code())).json();
  for (const token of [id_token, (await refresh(refresh_token)).json().id_token ?? '{}']) {
    expect(JSON.parse(token)).toMatchObject({ aud: 'app', token_use: 'id', 'custom:businessId': '7' });
  }
  expect(JSON.parse(access_token)).toMatchObject({ client_id: 'app', token_use: 'access' });
  expect(JSON.parse(access_token)).not.toHaveProperty('custom:businessId');
});

test('The ID token of a local sign-in lacks the attributes that the client may not read', async () => {
  const { code, tokens } = begin({ readAttributes: ['email'] });
  const { id_token = '{}' } = (await tokens(await code())).json();
  expect(JSON.parse(id_token)).toMatchObject({ aud: 'app', email: person.email });
  expect(JSON.parse(id_token)).not.toHaveProperty('name');
  expect(JSON.parse(id_token)).not.toHaveProperty('custom:businessId');
});

test('A client without readable attributes may read only the standard attributes at the local token issuer', async () => {
  const { code, tokens } = begin({ readAttributes: undefined });
  const { id_token = '{}' } = (await tokens(await code())).json();
  expect(JSON.parse(id_token)).toMatchObject({ email: person.email, email_verified: true, name: person.name });
  expect(JSON.parse(id_token)).not.toHaveProperty('custom:businessId');
});

test('A local sign-in without the scope openid gets an access token and no ID token', async () => {
  const { code, tokens } = begin();
  const answer = (await tokens(await code({ scope: 'email' }))).json();
  expect(answer).toHaveProperty('access_token');
  expect(answer).not.toHaveProperty('id_token');
});

test('The sign-in page of a local run shows names and request parameters as text, never as HTML', async () => {
  const { send } = begin();
  const request = { redirect_uri: 'http://localhost:8787/in', state: '"><script>alert(1)</script>' };
  const page = await send('/oauth2/authorize', { ...codeFlow, ...request }, 'GET');
  expect(page.status).toBe(200);
  expect(String(page.body)).toContain('jane@example.com');
  expect(String(page.body)).not.toMatch(/<script>|<Doe>/);
});

test.each([
  ...['constructor', 'toString', '__proto__', 'password'].map((type) => [`the grant type ${type}`, type]),
  ['an empty grant type', ''],
])('The local token endpoint refuses %s', async (_, grant_type) => {
  const { send } = begin();
  const answer = await send('/oauth2/token', { grant_type, client_id: 'app' });
  expect({ status: answer.status, ...answer.json() }).toEqual({ status: 400, error: 'unsupported_grant_type' });
});

const redirects = [
  ['https://app.example/in', 200],
  ['http://localhost:8787/in', 200],
  ['http://127.0.0.1:8787/in', 200],
  ['http://[::1]:8787/in', 200],
  ['http://localhost:3000/in', 200],
  ['http://127.0.0.1:3000/in', 400],
  ['http://localhost:5173/in', 400],
  ['http://127.0.0.1:8787\\@evil.example/in', 400],
  [`${issuer}/.well-known/jwks.json`, 400],
  ['http://127.0.0.1:8787/in?next=/', 400],
  ['http://127.0.0.1:8787/in/', 400],
  ['http://127.0.0.1:8787/', 400],
  ['http://x@127.0.0.1:8787/in', 400],
  ['https://app.example/other', 400],
  ['https://app.example:444/in', 400],
  ['http://app.example/in', 400],
  ['http://localhost.evil.example/in', 400],
  ['javascript:alert(1)', 400],
  ['', 400],
] as const;

// A registered loopback address also works with the port of the local run.
const titled = redirects.map(([uri, status]) => [status === 200 ? 'accepts' : 'refuses', uri, status] as const);
test.each(titled)('The local sign-in %s the redirect address “%s”', async (_, redirect_uri, status) => {
  const request = { ...codeFlow, redirect_uri };
  expect((await begin().send('/oauth2/authorize', request, 'GET')).status).toBe(status);
});

test('A local sign-in of an unknown app is refused without a redirect', async () => {
  const request = { ...codeFlow, client_id: 'another', redirect_uri: 'https://app.example/in' };
  const { status, headers } = await begin().send('/oauth2/authorize', request, 'GET');
  expect({ status, location: headers.location }).toEqual({ status: 400, location: undefined });
});

test.each([
  ['a scope that the template does not allow', { ...codeFlow, scope: 'openid profile' }, 'invalid_scope'],
  ['`prompt=none` and no signed-in user', { ...codeFlow, scope: 'openid email', prompt: 'none' }, 'login_required'],
  ['no PKCE challenge', { client_id: 'app', response_type: 'code' }, 'invalid_request'],
])('A local sign-in with %s is redirected to the app with an error', async (_, request, error) => {
  const redirect_uri = 'https://app.example/in';
  const { headers } = await begin().send('/oauth2/authorize', { ...request, redirect_uri }, 'GET');
  expect(new URL(headers.location ?? '').searchParams.get('error')).toBe(error);
});

describe('the token issuer of a local run', async () => {
  const pool = { Type: 'AWS::Cognito::UserPool', Properties: { UserPoolName: 'owners' } };
  const properties = { ClientName: 'app', UserPoolId: { Ref: 'Pool' }, CallbackURLs: callbackUrls };
  const resources = { Pool: pool, Client: { Type: 'AWS::Cognito::UserPoolClient', Properties: properties } };
  const template = { stackName: 'app', resources, outputs: {}, parameters: {}, conditions: {}, mappings: {} };
  const baseUrl = 'http://127.0.0.1:8787';
  const addresses = { awsEndpoint: '', baseUrl };
  const issuersOf = (changes: object) => {
    const changed = { ...template, resources: { ...resources, ...changes }, assets: new Map() } as Template;
    return createIssuers(buildModel([changed], resourceKinds, addresses), newKeyPair());
  };
  const issuers = await issuersOf({});

  const ask = (path: string, origin?: string, method = 'GET') => {
    const rawHeaders = origin === undefined ? [] : ['Origin', origin];
    const target = `/_local/issuers/${path}`;
    const request = { requestId: '', method, target, rawHeaders, body: Buffer.alloc(0), sourceIp: '' };
    return issuers.answer({ ...request, protocol: 'HTTP/1.1', time: 0 });
  };
  const paths = [
    '',
    'owners/.well-known/openid-configuration',
    'owners/oauth2/authorize',
    'owners/oauth2/token',
    'owners/login',
  ];

  test.each([
    'https://evil.example',
    'http://evil.example:8787',
    'http://localhost.evil.example',
    'http://localhost:5173',
    'https://127.0.0.1:8787',
    'null',
  ])('The token issuer of a local run refuses every request from a web page of the origin %s', async (origin) => {
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const answer = await ask(path, origin, method);
        expect(answer?.status, `${method} ${path}`).toBe(403);
        expect(answer?.headers, path).not.toHaveProperty('access-control-allow-origin');
      }
    }
  });

  test('The token issuer of a local run answers programs and pages of its own origin and of the apps in the templates', async () => {
    for (const path of paths) expect((await ask(path))?.status, path).not.toBe(403);
    for (const origin of [baseUrl, 'http://localhost:8787', 'http://localhost:3000', 'https://app.example']) {
      const answer = await ask(paths[1] ?? '', origin);
      expect(answer).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': origin, vary: 'Origin' } });
      expect((await ask('owners/oauth2/token', origin, 'OPTIONS'))?.status).toBe(204);
    }
  });

  test('The local Cognito refuses a new user with a custom attribute that the schema of the user pool lacks', async () => {
    const Pool = { ...pool, Properties: { ...pool.Properties, Schema: [{ Name: 'email' }, { Name: 'team' }] } };
    const { administer } = await issuersOf({ Pool });
    const create = (Username: string, Name: string) => () =>
      administer('AdminCreateUser', { UserPoolId: 'owners', Username, UserAttributes: [{ Name, Value: '1' }] });
    expect(create('a@example.com', 'custom:role')).toThrow('The user pool has no attribute custom:role.');
    expect(create('b@example.com', 'custom:team')).not.toThrow();
  });

  test('A local run does not start with two app clients of one Cognito user pool', async () => {
    const Other = { ...resources.Client, Properties: { ...properties, ClientName: 'other' } };
    await expect(issuersOf({ Other })).rejects.toThrow('The local run supports only one client of each user pool.');
  });
});
