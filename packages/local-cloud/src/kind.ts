/** How the local run treats one resource type. */
import * as z from 'zod/mini';
import { arn } from './arn.ts';

export interface Kind<Properties = unknown> {
  readonly type: string;
  /** The properties it knows, strictly: another one stops the start. */
  readonly properties: z.ZodMiniType<Properties>;
  /** The property that may carry the resource's name. Without it the name is made of stack and logical id. */
  readonly nameProperty?: string;
  /** What `Ref` gives. Default: the name. */
  readonly ref?: (name: string, addresses: Addresses) => string;
  /** What `Fn::GetAtt` gives. */
  readonly attribute?: (attribute: string, name: string, addresses: Addresses) => string | undefined;
}

export interface Addresses {
  /** The endpoint that every SDK calls. */
  readonly awsEndpoint: string;
  /** Where the HTTP APIs answer. */
  readonly baseUrl: string;
}

/** One resource of the templates, its properties evaluated and parsed. */
export interface Standing<Properties> {
  readonly logicalId: string;
  readonly stackName: string;
  readonly name: string;
  readonly properties: Properties;
}

/** A property without effect on one machine. */
export const ignored = z.optional(z.unknown());

/** CloudFormation takes numbers and truth values as text, too. */
export const number = z.union([z.number(), z.pipe(z.string().check(z.regex(/^\d+$/)), z.transform(Number))]);
export const flag = z.union([
  z.boolean(),
  z.pipe(
    z.enum(['true', 'false']),
    z.transform((word) => word === 'true'),
  ),
]);

/** A resource type without effect on one machine, whatever its properties. */
export function ignoredKind(type: string, nameProperty?: string): Kind {
  const service = (type.split('::')[1] ?? 'none').toLowerCase();
  return {
    type,
    properties: z.unknown(),
    attribute: (attribute, name) => (attribute.endsWith('Arn') ? arn(service, name) : `${name}.${attribute}`),
    ...(nameProperty === undefined ? {} : { nameProperty }),
  };
}
