/**
 * Executes the call of a tool like a request to its endpoint, with the same checks, the same function of `core/` and
 * the same protection of personal data (docs/rules.md#agents).
 */
import type { CallToolResult, Tool as Definition } from '@modelcontextprotocol/server';
import type { Context } from 'aws-lambda';
import type { Route, Schema } from '../../contract/define.ts';
import { errorAdvice } from '../../contract/error-advice.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import { idempotencyKeyForm, isIdempotencyKey } from '../../contract/headers.ts';
import { clientTextField, holdsClientText } from '../../contract/personal-data.ts';
import type { Problem } from '../errors.ts';
import { requireScope } from '../http/access/scope.ts';
import type { HttpEvent } from '../http/context.ts';
import type { EndpointHandler } from '../http/endpoint.ts';
import { serveWithin } from '../http/serve.ts';

export interface Tool {
  /** The description of the tool, with the schemas of its endpoint. */
  readonly definition: Definition;
  readonly handler: EndpointHandler<Route>;
}

type Arguments = Readonly<Record<string, unknown>>;

export async function callTool(
  { definition, handler }: Tool,
  args: Arguments,
  event: HttpEvent,
  context: Context,
): Promise<CallToolResult> {
  const { route } = handler;
  // AI models send null for arguments that they omit.
  const sent = JSON.parse(JSON.stringify(args), (_, value) => value ?? undefined) as Arguments;
  const checks = [...(route.scope ? [requireScope(route.scope, undefined)] : []), ...handler.checks];
  const request = requestOf(route, sent, event);
  request.state.problems = problemsOf(definition, sent);
  const { statusCode = 0, body = '{}' } = await serveWithin(checks, handler.respond)(request, context);
  const response = JSON.parse(body) as Record<string, unknown>;
  if (statusCode >= 400) {
    return { isError: true, content: [text({ ...response, nextStep: errorAdvice[response.code as ErrorCode] })] };
  }
  const data = (route.output ? marked(route.output, response) : response) as Record<string, unknown>;
  return { structuredContent: data, content: [text(data)] };
}

function text(value: unknown) {
  return { type: 'text' as const, text: JSON.stringify(value) };
}

/**
 * The problems of arguments that only the tool requires. The endpoint checks all other arguments, and lists all
 * problems.
 */
function problemsOf({ inputSchema: { required = [] } }: Definition, sent: Arguments): Problem[] {
  const missing = required.filter((name) => sent[name] === undefined);
  const problems = missing.map((path) => ({ path, message: 'is required' }));
  // The endpoint's own check would name the header.
  if (sent.idempotencyKey !== undefined && !isIdempotencyKey(sent.idempotencyKey))
    problems.push({ path: 'idempotencyKey', message: `must be ${idempotencyKeyForm}` });
  return problems;
}

/** Distributes the arguments to the path, the query and the body of the endpoint. */
function requestOf(route: Route, sent: Arguments, event: HttpEvent): HttpEvent {
  const { idempotencyKey, ...rest } = sent;
  const ownKey = route.idempotent && typeof idempotencyKey === 'string' ? { 'idempotency-key': idempotencyKey } : {};
  const inPath = Object.keys(fieldsOf(route.params));
  const pick = (isPicked: (name: string) => boolean) =>
    Object.entries(route.idempotent ? rest : sent).filter(([name]) => isPicked(name));
  const others = pick((name) => !inPath.includes(name));
  return {
    ...event,
    isBase64Encoded: false,
    pathParameters: Object.fromEntries(
      pick((name) => inPath.includes(name)).map(([name, value]) => [name, parameterOf(value)]),
    ),
    rawQueryString: route.body
      ? ''
      : `${new URLSearchParams(others.map(([name, value]) => [name, parameterOf(value)]))}`,
    body: route.body ? JSON.stringify(Object.fromEntries(others)) : '',
    state: { ...event.state, headers: { 'content-type': 'application/json', ...ownKey }, body: undefined },
  };
}

/** Template literals throw for an object whose `toString` is not a function. */
function parameterOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(parameterOf).join();
  return typeof value === 'object' ? JSON.stringify(value) : `${value}`;
}

function fieldsOf(schema: Schema | undefined): Readonly<Record<string, Schema>> {
  return (schema?._zod.def as { readonly shape?: Record<string, Schema> } | undefined)?.shape ?? {};
}

/**
 * Puts each text that a client may have written into an object `{ clientText }`. JSON escapes the text, so no text can
 * end the object.
 */
function marked(schema: Schema, value: unknown): unknown {
  const { element, innerType } = schema._zod.def as { element?: Schema; innerType?: Schema };
  if (value === null || typeof value !== 'object') return value;
  if (innerType) return marked(innerType, value);
  if (element) return (value as readonly unknown[]).map((one) => marked(element, one));
  const fields = fieldsOf(schema);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const field = fields[name];
      if (!field || one === null) return [name, one];
      return [name, holdsClientText(field) ? { [clientTextField]: one } : marked(field, one)];
    }),
  );
}
