/** Response headers policies: the headers that a distribution adds to its responses. */
import * as z from 'zod/mini';
import { flag, ignored, type Kind, number } from './kind.ts';
import type { Model } from './model.ts';

const overriding = z.pipe(flag, z.literal(true));
const list = <T extends z.ZodMiniType>(item: T) => z.strictObject({ Items: z.array(item) });

export const headersPolicy = {
  type: 'AWS::CloudFront::ResponseHeadersPolicy',
  properties: z.strictObject({
    ResponseHeadersPolicyConfig: z.strictObject({
      Name: ignored,
      Comment: ignored,
      CorsConfig: z.optional(
        z.strictObject({
          AccessControlAllowCredentials: z.pipe(flag, z.literal(false)),
          AccessControlAllowHeaders: ignored,
          AccessControlAllowMethods: ignored,
          AccessControlAllowOrigins: list(z.literal('*')),
          OriginOverride: overriding,
        }),
      ),
      CustomHeadersConfig: z.optional(list(z.strictObject({ Header: z.string(), Value: z.string(), Override: flag }))),
      SecurityHeadersConfig: z._default(
        z.strictObject({
          ContentSecurityPolicy: z.optional(
            z.strictObject({ ContentSecurityPolicy: z.string(), Override: overriding }),
          ),
          ContentTypeOptions: z.optional(z.strictObject({ Override: overriding })),
          FrameOptions: z.optional(z.strictObject({ FrameOption: z.string(), Override: overriding })),
          ReferrerPolicy: z.optional(z.strictObject({ ReferrerPolicy: z.string(), Override: overriding })),
          StrictTransportSecurity: z.optional(z.strictObject({ AccessControlMaxAgeSec: number, Override: overriding })),
        }),
        {},
      ),
    }),
  }),
} satisfies Kind;

type Headers = Readonly<Record<string, string>>;

/** Returns the headers of a response, with names in lower case, including those that the policy adds or replaces. */
export type WithHeaders = (headers: Headers, hasOrigin: boolean) => Headers;

export function headersPolicyOf(name: string | undefined, model: Model): WithHeaders {
  if (name === undefined) return (headers) => headers;
  const found = model.all(headersPolicy).find((one) => one.name === name);
  if (!found) throw new Error(`The templates have no response headers policy ${name}.`);
  const {
    CorsConfig,
    CustomHeadersConfig,
    SecurityHeadersConfig: security,
  } = found.properties.ResponseHeadersPolicyConfig;
  const custom = (overrides: boolean) =>
    (CustomHeadersConfig?.Items ?? [])
      .filter(({ Override }) => Override === overrides)
      .map(({ Header, Value }) => [Header.toLowerCase(), Value]);
  const always = Object.fromEntries(
    [
      ...custom(true),
      ['content-security-policy', security.ContentSecurityPolicy?.ContentSecurityPolicy],
      ['x-content-type-options', security.ContentTypeOptions && 'nosniff'],
      ['x-frame-options', security.FrameOptions?.FrameOption],
      ['referrer-policy', security.ReferrerPolicy?.ReferrerPolicy],
      [
        'strict-transport-security',
        security.StrictTransportSecurity && `max-age=${security.StrictTransportSecurity.AccessControlMaxAgeSec}`,
      ],
    ].filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return (headers, hasOrigin) => ({
    ...Object.fromEntries(custom(false)),
    ...headers,
    ...always,
    ...(CorsConfig && hasOrigin && { 'access-control-allow-origin': '*' }),
  });
}
