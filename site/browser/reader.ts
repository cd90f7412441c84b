/**
 * The data of the reader: a test key, kept in this tab, and ids of its sandbox. An owner who comes from the console is
 * signed in, and can create a test key on the page.
 */
import { integrationPath } from '../addresses.ts';
import type { SiteConfig } from '../config.ts';
import './storage.ts';

export interface Reader {
  readonly testKey?: string | undefined;
  /** The token of the owner who is signed in in this tab. */
  readonly ownerToken?: string | undefined;
  /** Ids of the sandbox that the test key belongs to. */
  readonly ids?: Ids | undefined;
}

interface Ids {
  readonly serviceId: number;
  readonly staffId: number | undefined;
}

const keptKey = 'test-key';
/** The prefix under which the console stores the user (`console/src/session/session.ts`). */
const userPrefix = 'oidc.user:';
/** The name under which the console stores the last sign-out, and each tab the one before its sign-in. */
const signOutName = 'signed-out';
const lastSignOut = () => localStorage.getItem(signOutName) ?? '';
/** The prefix of a name in storage, for a created key and the last sign-out before its creation. */
const createdPrefix = 'created ';
const dayMs = 86_400_000;
const keyDays = 7;

export async function loadReader(config: SiteConfig | undefined): Promise<Reader> {
  removeCreatedKeysOfSignedOut();
  const testKey = sessionStorage.getItem(keptKey) ?? config?.demo?.testKey;
  const ownToken = signedInToken();
  if (ownToken || sessionStorage.getItem(`${createdPrefix}${testKey}`) !== null) reloadAfterSignOut();
  const ownerToken = ownToken ?? config?.demo?.ownerToken;
  return { testKey, ownerToken, ids: config && testKey ? await idsOf(testKey) : undefined };
}

/** Removes the keys that an owner created before signing out. A key that the reader entered stays. */
function removeCreatedKeysOfSignedOut(): void {
  for (const [name, signOut] of Object.entries(sessionStorage)) {
    if (!name.startsWith(createdPrefix) || signOut === lastSignOut()) continue;
    const key = name.slice(createdPrefix.length);
    if (sessionStorage.getItem(keptKey) === key) sessionStorage.removeItem(keptKey);
    sessionStorage.removeItem(`ids of ${key}`);
    sessionStorage.removeItem(name);
  }
}

/** Reloads a page that shows data of the owner, without them, when the owner signs out in another tab. */
function reloadAfterSignOut(): void {
  const before = lastSignOut();
  const reload = () => lastSignOut() !== before && location.reload();
  addEventListener('storage', reload);
  // A page that returns from the back/forward cache has missed `storage` events.
  addEventListener('pageshow', reload);
}

/** Returns the token of the signed-in owner, if there is one in this tab. */
export function signedInToken(): string | undefined {
  const entry = Object.keys(sessionStorage).find((name) => name.startsWith(userPrefix));
  const isSignedOut = (sessionStorage.getItem(signOutName) ?? '') !== lastSignOut();
  if (entry === undefined || isSignedOut) return undefined;
  const user = JSON.parse(sessionStorage.getItem(entry) ?? '{}') as { id_token?: string; expires_at?: number };
  return (user.expires_at ?? 0) * 1_000 > Date.now() ? user.id_token : undefined;
}

/** Stores a test key for this tab, but no live key: requests that a page sends must change nothing live. */
export function keepTestKey(key: string): void {
  if (key.startsWith('bk_test_')) sessionStorage.setItem(keptKey, key);
}

/** Creates a test key in the owner's sandbox for a week. Throws an Error with a message for users. */
export async function createTestKey({ accountUrl }: SiteConfig, ownerToken: string): Promise<string> {
  const answer = await fetch(`${accountUrl}/api-keys`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ownerToken}`, 'Booking-Mode': 'test', 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: 'Documentation',
      scopeSet: 'full_crm',
      expiresAt: new Date(Date.now() + keyDays * dayMs).toISOString(),
    }),
  });
  // A proxy answers with a page.
  const body = (await answer.json().catch(() => ({}))) as { key?: string; message?: string };
  if (body.key === undefined) throw new Error(body.message ?? `The service answered ${answer.status}.`);
  keepTestKey(body.key);
  sessionStorage.setItem(`${createdPrefix}${body.key}`, lastSignOut());
  return body.key;
}

/** Requests the ids once per tab and key. */
async function idsOf(testKey: string): Promise<Ids | undefined> {
  const kept = `ids of ${testKey}`;
  const known = sessionStorage.getItem(kept);
  if (known !== null) return JSON.parse(known) as Ids;
  const answer = await fetch(`${integrationPath}/services`, { headers: { 'X-API-Key': testKey } }).catch(
    () => undefined,
  );
  if (!answer?.ok) return undefined;
  const { data } = (await answer.json()) as { data: readonly { id: number; active: boolean; staffIds: number[] }[] };
  const service = data.find(({ active }) => active);
  if (!service) return undefined;
  const ids: Ids = { serviceId: service.id, staffId: service.staffIds[0] };
  sessionStorage.setItem(kept, JSON.stringify(ids));
  return ids;
}
