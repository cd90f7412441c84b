import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { signIn } from '../src/sign-in.ts';
import type { SignInRequest } from '../src/sign-in-answer.ts';

const issuer = 'http://127.0.0.1:8787/_local/issuers/owners';
const client = { clientId: 'app', callbackUrls: ['https://app.example/in'], logoutUrls: [], graceSeconds: 10 };
const person = { sub: '1', email: 'jane@example.com', name: 'Jane', claims: { 'custom:businessId': '7' } };
const verifier = 'v'.repeat(43);

function begin() {
  let time = Date.UTC(2026, 11, 1);
  const flow = signIn(
    issuer,
    client,
    async (claims) => JSON.stringify(claims),
    () => time,
  );
  flow.admit(person);
  const send = async (path: string, form: Readonly<Record<string, string>>, method = 'POST') => {
    const request: SignInRequest = {
      method,
      query: new URLSearchParams(method === 'GET' ? form : {}),
      form: new URLSearchParams(method === 'POST' ? form : {}),
      cookie: '',
      authorization: '',
    };
    const answer = await flow.endpoints[path]?.(request);
    if (!answer) throw new Error(`Nothing answers at ${path}`);
    return { ...answer, json: () => JSON.parse(answer.body ?? '{}') as Record<string, string> };
  };
  const refresh = (refresh_token = '') =>
    send('/oauth2/token', { grant_type: 'refresh_token', client_id: 'app', refresh_token });
  return {
    send,
    refresh,
    wait: (seconds: number) => {
      time += seconds * 1_000;
    },
    async code(): Promise<string> {
      const answer = await send('/login', {
        username: person.email,
        client_id: 'app',
        redirect_uri: 'https://app.example/in',
        response_type: 'code',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      });
      return new URL(answer.headers.location ?? '').searchParams.get('code') ?? '';
    },
    tokens: (code: string) =>
      send('/oauth2/token', {
        grant_type: 'authorization_code',
        client_id: 'app',
        redirect_uri: 'https://app.example/in',
        code_verifier: verifier,
        code,
      }),
  };
}

test('a code that nobody used within five minutes is worth nothing', async () => {
  const { code, tokens, wait } = begin();
  const [early, late] = [await code(), await code()];
  wait(299);
  expect((await tokens(early)).status).toBe(200);
  wait(1);
  expect((await tokens(late)).json()).toEqual({ error: 'invalid_grant' });
});

test('a refresh token may be used again for a lost answer, and not after the grace that the template gives', async () => {
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

test('revoking one refresh token ends the sign-in with all its others', async () => {
  const { code, tokens, refresh, send } = begin();
  const first = (await tokens(await code())).json().refresh_token;
  const second = (await refresh(first)).json().refresh_token ?? '';
  expect((await send('/oauth2/revoke', { token: second })).status).toBe(200);
  expect((await refresh(second)).json()).toEqual({ error: 'invalid_grant' });
  expect((await send('/oauth2/revoke', { token: 'unknown' })).status).toBe(200);
});

test('only the access token says what the app may do, and only the ID token whose business it is', async () => {
  const { code, tokens } = begin();
  const { id_token = '{}', access_token = '{}' } = (await tokens(await code())).json();
  expect(JSON.parse(id_token)).toMatchObject({ aud: 'app', token_use: 'id', 'custom:businessId': '7' });
  expect(JSON.parse(access_token)).toMatchObject({ client_id: 'app', token_use: 'access' });
  expect(JSON.parse(access_token)).not.toHaveProperty('custom:businessId');
});

test('nobody is shown on the page as anything but text', async () => {
  const { send } = begin();
  const page = await send(
    '/oauth2/authorize',
    {
      client_id: 'app',
      redirect_uri: 'http://localhost:5173/in',
      response_type: 'code',
      state: '"><script>alert(1)</script>',
      code_challenge: 'x',
      code_challenge_method: 'S256',
    },
    'GET',
  );
  expect(page.status).toBe(200);
  expect(page.body).toContain('jane@example.com');
  expect(page.body).not.toContain('<script>');
});
