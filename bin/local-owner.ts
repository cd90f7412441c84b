/** Signs in at the issuer of a local run like a browser, with code and PKCE. */
import { createHash, randomBytes } from 'node:crypto';

interface LocalIssuer {
  readonly issuer: string;
  readonly clientId: string;
  readonly people: readonly string[];
}

/** Returns an owner's token of the run at this address. Throws one sentence if there is no run or no owner. */
export async function localOwnerToken(url: string): Promise<string> {
  const answer = await fetch(`${url}/_local/issuers/`, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  const issuers = answer?.ok && ((await answer.json().catch(() => undefined)) as LocalIssuer[] | undefined);
  if (!Array.isArray(issuers))
    throw new Error(`No local run answers at ${url}. Start one with npm start, or give --url and --token.`);
  const [local] = issuers;
  const [username] = local?.people ?? [];
  if (!local || username === undefined)
    throw new Error(`The local run at ${url} has no owner who can sign in: give --token.`);

  const verifier = randomBytes(32).toString('base64url');
  const common = { client_id: local.clientId, redirect_uri: `${url}/signed-in` };
  const form = {
    ...common,
    username,
    response_type: 'code',
    scope: 'openid',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  const back = await fetch(`${local.issuer}/login`, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
  const code = new URL(back.headers.get('location') ?? url).searchParams.get('code') ?? '';
  const tokens = await fetch(`${local.issuer}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...common, grant_type: 'authorization_code', code, code_verifier: verifier }),
  });
  const { id_token: token } = (await tokens.json()) as { id_token?: string };
  if (!token) throw new Error(`The issuer at ${url} returned no token.`);
  return token;
}
