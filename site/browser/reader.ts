/**
 * What is known of the reader: a test key, kept in this tab, and the first service of its sandbox. An owner who came here
 * from the console is signed in, and can create such a key without leaving the page.
 */
import type { SiteConfig } from '../config.ts';

export interface Reader {
  readonly testKey?: string | undefined;
  /** Of the owner who is signed in in this tab. */
  readonly ownerToken?: string | undefined;
  /** Of the sandbox that the test key belongs to. */
  readonly ids?: Ids | undefined;
}

interface Ids {
  readonly serviceId: number;
  readonly staffId: number | undefined;
}

const keptKey = 'test-key';
/** Where the console keeps who is signed in (`console/src/session/session.ts`). */
const userPrefix = 'oidc.user:';
const dayMs = 86_400_000;
const keyDays = 7;

export async function loadReader(config: SiteConfig | undefined): Promise<Reader> {
  const testKey = sessionStorage.getItem(keptKey) ?? config?.demo?.testKey;
  const ownerToken = signedInToken() ?? config?.demo?.ownerToken;
  return { testKey, ownerToken, ids: config && testKey ? await idsOf(config.integrationUrl, testKey) : undefined };
}

/** Whether an owner is signed in in this tab. */
export function signedInToken(): string | undefined {
  const entry = Object.keys(sessionStorage).find((name) => name.startsWith(userPrefix));
  if (entry === undefined) return undefined;
  const user = JSON.parse(sessionStorage.getItem(entry) ?? '{}') as { id_token?: string; expires_at?: number };
  return (user.expires_at ?? 0) * 1_000 > Date.now() ? user.id_token : undefined;
}

/** For this tab. A live key is never kept: what a page sends by itself must change nothing live. */
export function keepTestKey(key: string): void {
  if (key.startsWith('bk_test_')) sessionStorage.setItem(keptKey, key);
}

/** In the sandbox of the owner, for a week. Throws an Error with a message for people. */
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
  const body = (await answer.json()) as { key?: string; message?: string };
  if (body.key === undefined) throw new Error(body.message ?? `The service answered ${answer.status}.`);
  keepTestKey(body.key);
  return body.key;
}

/** Asked once in a tab for each key. */
async function idsOf(integrationUrl: string, testKey: string): Promise<Ids | undefined> {
  const kept = `ids of ${testKey}`;
  const known = sessionStorage.getItem(kept);
  if (known !== null) return JSON.parse(known) as Ids;
  const answer = await fetch(`${integrationUrl}/services`, { headers: { 'X-API-Key': testKey } }).catch(
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
