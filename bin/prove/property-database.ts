/**
 * Checks resources of a template with the public database of CloudFormation's properties, from which the CDK is
 * generated: names, required properties, types, and referenced attributes. The CDK's own rules do not cover all of it.
 */

/** A part of `@aws-cdk/service-spec-types`, which only the command loads. */
interface PropertyType {
  readonly type: string;
  readonly element?: PropertyType;
  readonly types?: readonly PropertyType[];
  readonly reference?: { readonly $ref: string };
}
type Properties = Readonly<Record<string, { readonly required?: boolean; readonly type: PropertyType }>>;
interface Entity {
  readonly properties: Properties;
  readonly attributes: Readonly<Record<string, unknown>>;
}
export interface PropertyDatabase {
  lookup(entity: 'resource', index: 'cloudFormationType', how: 'equals', type: string): Iterable<Entity>;
  get(entity: 'typeDefinition', id: string): Entity;
}

export interface Template {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties?: object }>>;
}

/** Returns one line for each problem. */
export function faultsOf({ Resources }: Template, database: PropertyDatabase): string[] {
  const entityOf = (type: string) => [...database.lookup('resource', 'cloudFormationType', 'equals', type)][0];
  const attributeFault = (value: unknown): string | undefined => {
    const [id, ...path] = Array.isArray(value) ? value : String(value).split('.');
    const target = Resources[String(id)];
    if (!target) return `${id} is no resource`;
    if (target.Type.startsWith('Custom::') || target.Type === 'AWS::CloudFormation::CustomResource') return undefined;
    const attribute = path.join('.');
    const isKnown = Object.keys(entityOf(target.Type)?.attributes ?? {}).includes(attribute);
    return isKnown ? undefined : `${target.Type} has no attribute ${attribute}`;
  };

  const faultsIn = (type: PropertyType, value: unknown, path: string): string[] => {
    const call = intrinsicOf(value);
    if (call) {
      const fault = call.name === 'Fn::GetAtt' ? attributeFault(call.argument) : undefined;
      return fault ? [`${path}: ${fault}`] : [];
    }
    const is = (isRight: boolean) => (isRight ? [] : [`${path}: ${JSON.stringify(value)} is no ${type.type}`]);
    switch (type.type) {
      case 'string':
      case 'date-time':
        // CloudFormation accepts numbers and booleans as strings.
        return is(['string', 'number', 'boolean'].includes(typeof value));
      case 'integer':
        return is(Number.isInteger(Number(value)) && typeof value !== 'boolean');
      case 'number':
        return is(Number.isFinite(Number(value)) && typeof value !== 'boolean');
      case 'boolean':
        return is(typeof value === 'boolean' || value === 'true' || value === 'false');
      case 'array':
        return Array.isArray(value)
          ? value.flatMap((one, i) => faultsIn(type.element as PropertyType, one, `${path}.${i}`))
          : is(false);
      case 'map':
        return isObject(value)
          ? Object.entries(value).flatMap(([name, one]) =>
              faultsIn(type.element as PropertyType, one, `${path}.${name}`),
            )
          : is(false);
      case 'tag':
        return is(isObject(value) && 'Key' in value && 'Value' in value);
      case 'ref':
        return isObject(value)
          ? faultsAmong(database.get('typeDefinition', type.reference?.$ref ?? '').properties, value, path)
          : is(false);
      case 'union': {
        const each = (type.types ?? []).map((one) => faultsIn(one, value, path));
        return each.find((faults) => faults.length === 0) ?? each[0] ?? [];
      }
      default:
        return [];
    }
  };

  const faultsAmong = (properties: Properties, value: object, path: string): string[] => [
    ...Object.entries(properties).flatMap(([name, { required }]) =>
      required && !(name in value) ? [`${path}: ${name} is missing`] : [],
    ),
    ...Object.entries(value).flatMap(([name, one]) => {
      const known = properties[name];
      return known ? faultsIn(known.type, one, `${path}.${name}`) : [`${path}: ${name} is no property`];
    }),
  ];

  return Object.entries(Resources).flatMap(([id, { Type, Properties = {} }]) => {
    if (Type.startsWith('Custom::') || Type === 'AWS::CDK::Metadata') return [];
    const entity = entityOf(Type);
    return entity ? faultsAmong(entity.properties, Properties, id) : [`${id}: ${Type} is no type`];
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function intrinsicOf(value: unknown): { readonly name: string; readonly argument: unknown } | undefined {
  if (!isObject(value)) return undefined;
  const [[name, argument] = ['', undefined], ...more] = Object.entries(value);
  return more.length === 0 && /^(?:Ref|Fn::\w+)$/.test(name) ? { name, argument } : undefined;
}
