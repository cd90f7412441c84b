/** The parts of an OpenAPI document that the site needs. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly example?: Value;
  readonly $ref?: string;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example?: Value } } };
  readonly responses: Readonly<Record<string, unknown>>;
}

export interface Document {
  readonly info: { readonly title: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: { readonly parameters?: Readonly<Record<string, Parameter>> };
}

/** Returns the parameter, or that of the components to which it refers. */
export function parameterOf({ components }: Pick<Document, 'components'>, parameter: Parameter): Parameter {
  return components.parameters?.[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter;
}
