/** Requests of the console to the account API. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { createApi } from '../../console/src/api/call.ts';
import { serveDuringTest } from '../support/faulty-proxy.ts';

test('An API call of the console that is aborted while it reads the response ends with an AbortError', async () => {
  const origin = await serveDuringTest((_, response) => void response.writeHead(200).write('{"data":'));
  const stopped = new AbortController();
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const response = await fetch(`${origin}${path}`, init);
    queueMicrotask(() => stopped.abort());
    return response;
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const api = createApi('live', { subject: () => undefined, token: async () => 't', renewed: async () => 't' });
  const page = api.call('listClients', { limit: 100 }, { signal: stopped.signal });
  await expect(page).rejects.toMatchObject({ name: 'AbortError' });
});
