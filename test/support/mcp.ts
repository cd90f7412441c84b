/** Connects agents to the handler of `POST /mcp` without a network. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { handler } from '../../functions/api/call-mcp.ts';
import { httpEvent, lambdaContext } from './http.ts';

/** Calls the handler with the signature of `fetch`. */
async function fetchHandler(url: string | URL, init: RequestInit = {}): Promise<Response> {
  const { pathname } = new URL(url);
  const method = init.method ?? 'GET';
  // The gateway routes only POST to this function.
  if (method !== 'POST') return new Response(null, { status: 405, headers: { Allow: 'POST' } });
  const headers = Object.fromEntries(new Headers(init.headers));
  const sent = httpEvent({ method, path: pathname, headers, body: String(init.body) });
  const { statusCode = 0, headers: responseHeaders = {}, body = '' } = await handler(sent, lambdaContext);
  return new Response(statusCode === 202 ? null : body, {
    status: statusCode,
    headers: Object.entries(responseHeaders).map(([name, value]) => [name, String(value)]),
  });
}

export interface ToolAnswer {
  readonly isError?: boolean;
  readonly data: Record<string, unknown>;
}

export interface Agent {
  readonly client: Client;
  readonly calls: number;
  tools(): Promise<Awaited<ReturnType<Client['listTools']>>['tools']>;
  call(name: string, given?: Record<string, unknown>): Promise<ToolAnswer>;
}

interface Connection {
  /** The URL of a server. By default the handler is called directly. */
  readonly url?: string;
}

/** The official client with a key. It negotiates the newest protocol unless `options` pin another. */
export async function agentWith(
  key: string,
  { url, ...options }: ConstructorParameters<typeof Client>[1] & Connection = {},
): Promise<Agent> {
  const client = new Client({ name: 'agent', version: '1' }, options);
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url ?? 'http://api/v1/integration/mcp'), {
      ...(!url && { fetch: fetchHandler }),
      requestInit,
    }),
  );
  let calls = 0;
  return {
    client,
    get calls() {
      return calls;
    },
    tools: async () => (await client.listTools()).tools,
    call: async (name, given = {}) => {
      calls += 1;
      const { isError, structuredContent, content } = await client.callTool({ name, arguments: given });
      const [first] = content as { readonly text: string }[];
      const data = (isError ? JSON.parse(first?.text ?? '{}') : structuredContent) as Record<string, unknown>;
      return { ...(isError && { isError }), data };
    },
  };
}
