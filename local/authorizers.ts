/**
 * Authorizers of HTTP APIs: a table from type to check. A type that is not in the table stops the start, so that no
 * route is ever open here and closed in the account.
 */
import * as z from 'zod/mini';
import { ignored, type Kind } from './kind.ts';
import type { Model } from './model.ts';

const authorizer = {
  type: 'AWS::ApiGatewayV2::Authorizer',
  properties: z.strictObject({
    ApiId: z.string(),
    AuthorizerType: z.string(),
    Name: z.string(),
    IdentitySource: z.optional(z.array(z.string())),
    JwtConfiguration: z.optional(z.strictObject({ Issuer: z.string(), Audience: z.optional(z.array(z.string())) })),
    AuthorizerPayloadFormatVersion: ignored,
  }),
} satisfies Kind;

export const authorizerKinds: readonly Kind[] = [authorizer];

export type AuthorizerProperties = z.infer<typeof authorizer.properties>;

/** What a check says: the context that the function sees, or the gateway's own refusal. */
export type Verdict =
  | { readonly ok: true; readonly context: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly status: 401 | 403; readonly message: string };

export type Check = (headers: Readonly<Record<string, string | string[] | undefined>>) => Promise<Verdict>;

/** Type → how to make the check of one authorizer. The account API's JWT check belongs here. */
const authorizerTypes: Readonly<Record<string, (properties: AuthorizerProperties) => Check>> = {};

/** The checks by the authorizer's id. */
export function readAuthorizers(model: Model): ReadonlyMap<string, Check> {
  return new Map(
    model.all(authorizer).map(({ name, logicalId, properties }) => {
      const make = authorizerTypes[properties.AuthorizerType];
      if (!make) {
        throw new Error(
          `The local run does not know the authorizer type ${properties.AuthorizerType} (${logicalId}): add it to local/authorizers.ts.`,
        );
      }
      return [name, make(properties)];
    }),
  );
}
