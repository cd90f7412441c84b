/**
 * The session: authorization code flow with PKCE, tokens only in the storage of this tab, and a rotating refresh token.
 * Signing out revokes the tokens, ends the issuer's session, and signs out every tab.
 */
import { ErrorResponse, OidcClient, type User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { ApiError } from '../api/errors.ts';
import type { ConsoleConfig } from './config.ts';

/** `ended` means that the session expired or was revoked, without a sign-out. */
export type SessionState = 'signed-out' | 'signed-in' | 'ended';

/** The redirect path that is registered with the issuer. */
const signedInPath = '/signed-in';
const renewedBeforeSeconds = 60;
const othersAnswerWithinMs = 150;

/** Messages between tabs. An `answer` is the address to which the issuer returned in a tab that another tab opened. */
type TabMessage = 'signed-in?' | 'signed-in' | { readonly answer: string };

const openTabs = () => new BroadcastChannel('session');
/** The end of the state of a sign-in whose answer is for the tab that opened this one. */
const forOtherTab = 'other-tab';

/**
 * Passes the answer of the issuer to the tab that opened this one to sign in again. Returns false if the answer is for
 * this tab. The policy of the page isolates windows, so that a message reaches the other tab, but `opener` does not.
 */
export function passAnswer(): boolean {
  const state = new URLSearchParams(location.search).get('state');
  if (location.pathname !== signedInPath || !state?.endsWith(`;${forOtherTab}`)) return false;
  openTabs().postMessage({ answer: location.href } satisfies TabMessage);
  window.close();
  return true;
}

export interface Session {
  readonly state: () => SessionState;
  /** The person who is signed in, or was when the session ended. */
  readonly subject: () => string | undefined;
  /** Calls the listener at every change of state. Returns a function that removes it. */
  subscribe(listener: () => void): () => void;
  token(): Promise<string>;
  renewed(refused: string): Promise<string>;
  /** Redirects to the issuer, which returns to the current page or to the path. */
  signIn(options?: { readonly returnTo?: string; readonly as?: string }): Promise<void>;
  /** Signs in again after the end of the session, in a new tab to keep input. Redirects if the browser opens no tab. */
  signInAgain(): Promise<void>;
  /** Redirects to the issuer, which ends its session as well. */
  signOut(): Promise<void>;
  /** Whether the issuer may still have a session, because it did not answer when the owner signed out. */
  readonly isIssuerSignedIn: () => boolean;
}

interface Opened {
  readonly session: Session;
  /** The path to continue at after a redirect from the issuer. */
  readonly returnTo?: string;
}

/**
 * The name under which the browser stores the last sign-out, and each tab the one before its sign-in. They differ in a tab
 * that another tab signed out.
 */
const signOutName = 'signed-out';
const lastSignOut = () => localStorage.getItem(signOutName) ?? '';
const rememberSignOut = () => sessionStorage.setItem(signOutName, lastSignOut());
const isSignedOutSince = () => (sessionStorage.getItem(signOutName) ?? '') !== lastSignOut();

/** The prefix of the library's storage entry of a user. */
const userPrefix = 'oidc.user:';

/** Whether this tab has a session or is about to get one. */
export function mayBeSignedIn(): boolean {
  return location.pathname === signedInPath || Object.keys(sessionStorage).some((key) => key.startsWith(userPrefix));
}

/** Asks the other tabs while the configuration loads. Throws if the issuer reports an error. */
export async function openSession(configuring: Promise<ConsoleConfig>): Promise<Opened> {
  const tabs = openTabs();
  const say = (word: TabMessage) => tabs.postMessage(word);
  const elsewhere = mayBeSignedIn() ? undefined : isSignedInElsewhere(tabs, say, configuring);
  const {
    signIn: { issuer, clientId },
  } = await configuring;
  const home = `${location.origin}/`;
  const manager = new UserManager({
    authority: issuer,
    client_id: clientId,
    redirect_uri: `${location.origin}${signedInPath}`,
    scope: 'openid email profile',
    userStore: new WebStorageStateStore({ store: sessionStorage }),
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
    automaticSilentRenew: false,
    monitorSession: false,
    revokeTokenTypes: ['refresh_token'],
    revokeTokensOnSignout: true,
  });
  const listeners = new Set<() => void>();
  let user: User | null = null;
  /** The signed-in owner, or the last one if the session ended. */
  let owner: string | undefined;
  let state: SessionState = 'signed-out';
  let renewing: Promise<string> | undefined;
  /** Whether no other tab has answered in time, and the owner has not begun to sign in. */
  let isAlone = false;
  let isIssuerSignedIn = false;

  const become = (next: SessionState) => {
    if (next === state) return;
    state = next;
    for (const listener of listeners) listener();
  };
  const over = () => {
    if (state === 'signed-in') become('ended');
    return new ApiError({ code: 'session_ended', message: 'Your session has ended.', status: 401 });
  };

  async function renew(): Promise<string> {
    try {
      user = await manager.signinSilent();
      if (user?.id_token) return user.id_token;
    } catch (error) {
      // Only a refusal by the issuer ends the session, not a network error.
      if (!(error instanceof ErrorResponse)) {
        throw new ApiError({ code: 'connection_failed', message: 'The sign-in service did not answer.' });
      }
    }
    await manager.removeUser();
    user = null;
    throw over();
  }
  const renewOnce = () => {
    renewing ??= renew().finally(() => {
      renewing = undefined;
    });
    return renewing;
  };

  /** Each tab has its own tokens. Revoking stores the user again, so the user is removed before and after. */
  const forget = () => {
    void manager
      .revokeTokens()
      .catch(() => undefined)
      .then(() => manager.removeUser());
    void manager.removeUser();
  };

  tabs.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
    if (data === 'signed-in?' && state === 'signed-in') say('signed-in');
    // The other tab was busy. If signing in fails, this tab still has the button for it.
    if (data === 'signed-in' && isAlone) void session.signIn().catch(() => undefined);
    if (typeof data === 'object' && state === 'ended') void resume(data.answer);
  });
  const signOutWithOtherTab = () => {
    if (state === 'signed-out' || !isSignedOutSince()) return;
    forget();
    user = null;
    become('signed-out');
  };
  addEventListener('storage', signOutWithOtherTab);
  // A page that returns from the back/forward cache has missed `storage` events.
  addEventListener('pageshow', signOutWithOtherTab);

  const session: Session = {
    state: () => state,
    subject: () => owner,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async token() {
      if (!user?.id_token) throw over();
      return (user.expires_in ?? 0) > renewedBeforeSeconds ? user.id_token : renewOnce();
    },
    async renewed(refused) {
      return user?.id_token && user.id_token !== refused ? user.id_token : renewOnce();
    },
    async signIn({ returnTo = location.pathname + location.search, as } = {}) {
      isAlone = false;
      rememberSignOut();
      await manager.signinRedirect({ state: { returnTo }, ...(as && { login_hint: as }) });
    },
    async signInAgain() {
      // Opened before any `await`: browsers open a tab only while they handle a click.
      const tab = window.open('about:blank');
      if (!tab) {
        // Not awaited: the browser asks before it leaves the form, and the owner may stay to try again.
        void session.signIn().catch(() => undefined);
        return;
      }
      const request = await new OidcClient(manager.settings)
        .createSigninRequest({ request_type: 'si:r', url_state: forOtherTab })
        .catch((error: unknown) => {
          tab.close();
          throw error;
        });
      tab.location.replace(request.url);
    },
    async signOut() {
      localStorage.setItem(signOutName, crypto.randomUUID());
      const leave = await manager.metadataService.getEndSessionEndpoint().catch(() => {
        isIssuerSignedIn = true;
        return undefined;
      });
      await manager.revokeTokens().catch(() => undefined);
      await manager.removeUser();
      user = null;
      become('signed-out');
      // Without a connection, the browser would replace the sign-in page by an error.
      if (isIssuerSignedIn) return;
      // A user pool has its own names for these parameters.
      const query = new URLSearchParams({ client_id: clientId, logout_uri: home });
      location.assign(leave ? `${leave}?${query}` : home);
    },
    isIssuerSignedIn: () => isIssuerSignedIn,
  };

  const entered = (found: User) => {
    user = found;
    owner = found.profile.sub;
    state = 'signed-in';
  };
  /** Ignores an answer for another tab. */
  async function resume(answer: string) {
    const found = await manager.signinCallback(answer).catch(() => undefined);
    if (!found) return;
    if (isSignedOutSince()) return forget();
    // The page shows the data of the previous owner.
    if (found.profile.sub !== owner) return location.assign('/');
    user = found;
    become('signed-in');
  }
  if (location.pathname === signedInPath) {
    const found = await manager.signinCallback();
    if (!found) throw new Error('The issuer returned no sign-in result.');
    entered(found);
    return { session, returnTo: ownPath(found.state) };
  }
  const known = await manager.getUser();
  const isForgotten = known && isSignedOutSince();
  if (isForgotten) forget();
  if (known && !isForgotten) entered(known);
  else if (await (elsewhere ?? isSignedInElsewhere(tabs, say, configuring))) {
    await session.signIn();
    // The browser leaves for the issuer, so nothing more is rendered.
    await new Promise(() => undefined);
  } else isAlone = true;
  return { session };
}

/**
 * Whether another tab is signed in. Then the issuer signs in this tab without asking. Waits at least for the
 * configuration: until then, nothing else in this tab listens for the answer.
 */
function isSignedInElsewhere(
  tabs: BroadcastChannel,
  say: (word: TabMessage) => void,
  configuring: Promise<ConsoleConfig>,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    tabs.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => data === 'signed-in' && resolve(true));
    setTimeout(() => void configuring.then(() => resolve(false), reject), othersAnswerWithinMs);
    say('signed-in?');
  });
}

/** Returns a path of this origin, whatever the state contains. */
function ownPath(state: unknown): string {
  const { returnTo } = (state ?? {}) as { returnTo?: unknown };
  return typeof returnTo === 'string' && /^\/(?![/\\])\S*$/.test(returnTo) ? returnTo : '/';
}
