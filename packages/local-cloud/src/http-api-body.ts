/**
 * Reads the routes of an HTTP API from the OpenAPI body that the gateway imports. What the import would reject or omit
 * is rejected here (https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-open-api.html). Pure.
 */
import * as z from 'zod/mini';
import { authorizer } from './authorizers.ts';
import { ignored } from './kind.ts';

const integration = z.strictObject({
  type: z.literal('aws_proxy'),
  httpMethod: z.literal('POST'),
  uri: z.string(),
  credentials: z.optional(z.string()),
  payloadFormatVersion: z.literal('2.0'),
  connectionType: z.optional(z.literal('INTERNET')),
  timeoutInMillis: z._default(z.number().check(z.minimum(50), z.maximum(30_000)), 30_000),
});

const operation = z.strictObject({
  operationId: ignored,
  summary: ignored,
  description: ignored,
  responses: ignored,
  isDefaultRoute: z.optional(z.boolean()),
  // A scheme must have no scopes: those of a token are not checked here.
  security: z._default(z.array(z.record(z.string(), z.array(z.never()))).check(z.maxLength(1)), []),
  'x-amazon-apigateway-integration': integration,
});

const parameter = z.strictObject({
  name: z.string(),
  in: z.literal('path'),
  required: z.literal(true),
  schema: ignored,
  description: ignored,
});

export const httpApiBody = z.strictObject(
  {
    openapi: z.string().check(z.startsWith('3.0')),
    'x-amazon-apigateway-importexport-version': z.optional(z.literal('1.0')),
    info: z.strictObject({ title: z.string(), version: z.string(), description: ignored }),
    tags: ignored,
    // Servers can disable the gateway's default endpoint; here there is no other.
    servers: ignored,
    components: z.optional(z.strictObject({ securitySchemes: z.record(z.string(), authorizer) })),
    paths: z.record(
      z.string(),
      z.catchall(z.strictObject({ parameters: z._default(z.array(parameter), []) }), operation),
    ),
  },
  'an OpenAPI document is needed; the construct HttpApi makes none',
);

export type HttpApiBody = z.infer<typeof httpApiBody>;

export interface BodyRoute {
  /** The key of the route: `GET /webhooks/{id}`, or `$default`. */
  readonly routeKey: string;
  readonly integration: z.infer<typeof integration>;
  /** The name of the security scheme. */
  readonly scheme: string | undefined;
}

const anyMethod = 'x-amazon-apigateway-any-method';
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

/** Throws an error of one sentence if the gateway would not import the body completely. */
export function routesOf({ paths, components }: HttpApiBody): BodyRoute[] {
  return Object.entries(paths).flatMap(([path, { parameters, ...operations }]) => {
    refuseUndeclared(path, parameters);
    return Object.entries(operations).map(([method, one]) => {
      const { isDefaultRoute = false, security, 'x-amazon-apigateway-integration': integration } = one;
      const routeKey = isDefaultRoute ? '$default' : `${wordOf(method, path)} ${path}`;
      if (isDefaultRoute !== (path === '/$default' && method === anyMethod)) {
        throw new Error(
          `The default route is ${anyMethod} of /$default with isDefaultRoute, and not ${method} of ${path}.`,
        );
      }
      const [scheme] = security.flatMap((requirement) => Object.keys(requirement));
      if (scheme !== undefined && !components?.securitySchemes[scheme]) {
        throw new Error(`The route ${routeKey} uses the security scheme ${scheme}, which the body does not define.`);
      }
      return { routeKey, integration, scheme };
    });
  });
}

function wordOf(method: string, path: string): string {
  if (method === anyMethod) return 'ANY';
  if (!methods.includes(method)) throw new Error(`API Gateway does not support the method ${method} (${path}).`);
  return method.toUpperCase();
}

function refuseUndeclared(path: string, parameters: readonly { readonly name: string }[]): void {
  const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
  const declared = parameters.map(({ name }) => name);
  if (inPath.toSorted().join() === declared.toSorted().join()) return;
  throw new Error(`The path ${path} declares the parameters [${declared.join(', ')}], and has [${inPath.join(', ')}].`);
}
