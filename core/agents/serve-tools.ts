/**
 * `POST /mcp`: a server of the Model Context Protocol with the official SDK, without sessions, behind the checks of
 * every endpoint (docs/rules.md#agents). The server supports the stateless protocol version 2026-07-28, and the
 * versions of 2025 for older clients.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  type JSONRPCRequest,
  PerRequestHTTPServerTransport,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import type { Context } from 'aws-lambda';
import { agentInstructions } from '../../contract/agent-instructions.ts';
import type { Route } from '../../contract/define.ts';
import { fail, invalid } from '../errors.ts';
import { keyAccess } from '../http/access/key.ts';
import type { HttpEvent, HttpResult, LambdaHandler, Middleware } from '../http/context.ts';
import { readBody, validateRequest } from '../http/request.ts';
import { serve } from '../http/serve.ts';
import { log } from '../log.ts';
import { isSandbox } from '../mode.ts';
import { hasScope } from '../principal.ts';
import { callTool, type Tool } from './call-tool.ts';

export function serveTools(route: Route, tools: readonly Tool[]): LambdaHandler {
  const access = keyAccess();
  const checks = [...access.checks, requireAgents(), readBody(route), validateRequest(route)];
  return serve(`${route.method} ${route.path}`, { ...access, checks }, (event, context) =>
    respond(tools, event, context),
  );
}

/** Agents may use every test key, and a live key if its owner allows it. */
function requireAgents(): Middleware {
  return {
    before: ({ event: { state } }) => {
      const { principal } = state;
      if (principal?.actor.kind !== 'key') throw fail('agents_not_allowed');
      if (!isSandbox(principal.tenantId) && !principal.actor.agents) throw fail('agents_not_allowed');
    },
  };
}

async function respond(tools: readonly Tool[], event: HttpEvent, context: Context): Promise<HttpResult> {
  const { headers, body } = event.state;
  const request = new Request('http://mcp/', {
    method: 'POST',
    headers: {
      ...Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('mcp-'))),
      // The response is one message, and never a stream.
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
    } as Record<string, string>,
    body: JSON.stringify(body),
  });
  const response = await respondTo(request, body, () => serverOf(tools, event, context));
  return { statusCode: response.status, headers: { 'Content-Type': 'application/json' }, body: await response.text() };
}

async function respondTo(request: Request, parsedBody: unknown, newServer: () => Server): Promise<Response> {
  if (!(await isLegacyRequest(request, parsedBody))) {
    // A Lambda function ends after its response, so clients cannot subscribe.
    const { fetch } = createMcpHandler(newServer, { legacy: 'reject', maxSubscriptions: 0 });
    return fetch(request, { parsedBody });
  }
  requireVersion(request.headers.get('mcp-protocol-version'));
  const transport = new PerRequestHTTPServerTransport({ classification: { era: 'legacy' } });
  await newServer().connect(transport);
  const response = await transport.handleMessage(parsedBody as JSONRPCRequest, { request });
  // Before 2026-07-28, an error of JSON-RPC is an ordinary response, and 404 means that the session has ended.
  return response.status === 404 ? new Response(response.body, { headers: response.headers }) : response;
}

function requireVersion(version: string | null): void {
  if (version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return;
  const message = `must be one of 2026-07-28, ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}`;
  throw invalid('MCP-Protocol-Version', message);
}

function serverOf(tools: readonly Tool[], event: HttpEvent, context: Context): Server {
  const server = new Server(
    { name: 'booking-integration', version: '1.0.0' },
    { capabilities: { tools: {} }, instructions: agentInstructions },
  );
  const { principal } = event.state;
  server.setRequestHandler('tools/list', () => ({
    tools: tools
      .filter(({ handler: { route } }) => principal && (!route.scope || hasScope(principal.actor, route.scope)))
      .map(({ definition }) => definition),
  }));
  server.setRequestHandler('tools/call', ({ params: { name, arguments: args = {} } }) => {
    const tool = tools.find(({ definition }) => definition.name === name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}.`);
    log.appendKeys({ tool: name });
    return callTool(tool, args, event, context);
  });
  return server;
}
