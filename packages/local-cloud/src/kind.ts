/** Defines how the local run supports one resource type. */
import * as z from 'zod/mini';
import { arn } from './arn.ts';

export interface Kind<Properties = unknown> {
  readonly type: string;
  /** The supported properties; any other property stops the start. */
  readonly properties: z.ZodMiniType<Properties>;
  /** The property with the resource's name. Without it the name is derived from stack and logical id. */
  readonly nameProperty?: string;
  /** Returns the value of `Ref`. Default: the name. */
  readonly ref?: (name: string, addresses: Addresses) => string;
  /** Returns the value of `Fn::GetAtt`. */
  readonly attribute?: (attribute: string, name: string, addresses: Addresses) => string | undefined;
}

export interface Addresses {
  readonly awsEndpoint: string;
  /** The address of the HTTP APIs. */
  readonly baseUrl: string;
}

/** A resource of the templates with evaluated and parsed properties. */
export interface TemplateResource<Properties> {
  readonly logicalId: string;
  readonly name: string;
  readonly properties: Properties;
}

/** A property that has no effect in a local run. */
export const ignored = z.optional(z.unknown());

/** CloudFormation accepts numbers and booleans as text, too. */
export const number = z.union([z.number(), z.pipe(z.string().check(z.regex(/^\d+$/)), z.transform(Number))]);
export const flag = z.union([
  z.boolean(),
  z.pipe(
    z.enum(['true', 'false']),
    z.transform((word) => word === 'true'),
  ),
]);

/** A resource type that has no effect in a local run, whatever its properties. */
export function ignoredKind(type: string, nameProperty?: string): Kind {
  const service = (type.split('::')[1] ?? 'none').toLowerCase();
  return {
    type,
    properties: z.unknown(),
    attribute: (attribute, name) => (attribute.endsWith('Arn') ? arn(service, name) : `${name}.${attribute}`),
    ...(nameProperty === undefined ? {} : { nameProperty }),
  };
}
