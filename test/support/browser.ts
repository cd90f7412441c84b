/** An HTTP client with cookies and without redirects, which signs in at the page of the local issuer. */
import { InMemoryWebStorage, OidcClient, type SigninResponse, WebStorageStateStore } from 'oidc-client-ts';
import type { LocalRun } from '../../local/start-local.ts';

export interface Browser {
  /** Sends one request with the cookies of its path. */
  go(url: string, init?: RequestInit): Promise<Response>;
}

export function openBrowser(): Browser {
  const jar = new Map<string, { readonly value: string; readonly path: string }>();
  return {
    async go(url, init = {}) {
      const { pathname } = new URL(url);
      const cookie = [...jar].flatMap(([name, { value, path }]) =>
        pathname.startsWith(path) ? [`${name}=${value}`] : [],
      );
      const headers = {
        ...(init.headers as Record<string, string>),
        ...(cookie.length > 0 && { cookie: cookie.join('; ') }),
      };
      const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (/max-age=0/i.test(line)) jar.delete(name);
        else jar.set(name, { value, path: /path=([^;]+)/i.exec(line)?.[1] ?? '/' });
      }
      return answer;
    },
  };
}

/** The OpenID Connect client that the console uses. */
export function appOf({ baseUrl, owners }: LocalRun): OidcClient {
  if (!owners) throw new Error('The local run issues no tokens.');
  return new OidcClient({
    authority: owners.issuer,
    client_id: owners.audience,
    redirect_uri: `${baseUrl}/signed-in`,
    response_type: 'code',
    scope: 'openid email profile',
    stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
  });
}

/** Signs in from the app through the form of the issuer, and exchanges the code that returns for tokens. */
export async function signInAs(email: string, app: OidcClient, browser: Browser): Promise<SigninResponse> {
  const { url } = await app.createSigninRequest({});
  const page = await browser.go(url);
  const html = await page.text();
  if (page.status !== 200 || !html.includes(email)) throw new Error(`The page does not show ${email}: ${html}`);
  const fields = [...html.matchAll(/name="([^"]+)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
    name,
    value.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
  ]);
  const form = new URLSearchParams(fields.filter(([name]) => name !== 'username'));
  form.set('username', email);
  const action = /action="([^"]+)"/.exec(html)?.[1] ?? '';
  const answer = await browser.go(action, { method: 'POST', body: form });
  return app.processSigninResponse(answer.headers.get('location') ?? '');
}
