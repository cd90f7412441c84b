/** The owner of a business in the local run, who calls the API over HTTP. */
import { type Mode, modeHeader } from '../../contract/modes.ts';
import { accountPrefix } from '../../contract/prefixes.ts';
import { callJson, type JsonResponse } from '../../local/call-json.ts';
import type { LocalSystem } from './local.ts';

type WithId = Record<string, unknown> & { id: number };

export interface TestOwner {
  readonly token: string;
  /** `call('POST', '/services', body)`. */
  call<T = WithId>(method: string, path: string, body?: unknown): Promise<JsonResponse<T>>;
  /** Calls in the same way, and fails the test unless the call succeeds. */
  done<T = WithId>(method: string, path: string, body?: unknown): Promise<T>;
}

export async function ownerOf({ run }: Pick<LocalSystem, 'run'>, tenantId: number): Promise<TestOwner> {
  if (!run.owners) throw new Error('The local run issues no tokens.');
  return ownerWith({ run }, await run.owners.token(tenantId));
}

/** The owner with that token, in a mode of the business. */
export function ownerWith({ run }: Pick<LocalSystem, 'run'>, token: string, mode: Mode = 'live'): TestOwner {
  const headers = { Authorization: `Bearer ${token}`, [modeHeader]: mode };
  const call = <T>(method: string, path: string, body?: unknown) =>
    callJson<T>(method, `${run.baseUrl}${accountPrefix}${path}`, { headers, body });
  return {
    token,
    call,
    async done<T>(method: string, path: string, body?: unknown): Promise<T> {
      const { status, body: json } = await call<T>(method, path, body);
      if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(json)}`);
      return json;
    },
  };
}
