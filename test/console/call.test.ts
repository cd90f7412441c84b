/** Requests of the console to the account API. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { createApi } from '../../console/src/api/call.ts';

test('An API call of the console that is aborted while its response arrives ends with an AbortError', async () => {
  const server = createServer((_, response) => response.writeHead(200).write('{"data":')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stopped = new AbortController();
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const response = await fetch(`${origin}${path}`, init);
    queueMicrotask(() => stopped.abort());
    return response;
  });
  try {
    const api = createApi('live', { subject: () => undefined, token: async () => 't', renewed: async () => 't' });
    const page = api.call('listClients', { limit: 100 }, { signal: stopped.signal });
    await expect(page).rejects.toMatchObject({ name: 'AbortError' });
  } finally {
    vi.unstubAllGlobals();
    server.close();
    server.closeAllConnections();
  }
});
