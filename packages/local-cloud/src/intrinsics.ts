/** Evaluates CloudFormation's intrinsic functions. */

/** Looks up names. Each method throws for an unknown name. */
export interface Scope {
  ref(name: string): unknown;
  attribute(logicalId: string, name: string): unknown;
  importValue(exportName: string): unknown;
  condition(name: string): boolean;
  mapping(map: string, first: string, second: string): unknown;
}

/** `AWS::NoValue` removes the property. */
export const noValue = Symbol('AWS::NoValue');

type Intrinsic = (argument: unknown, scope: Scope) => unknown;

const intrinsics: Readonly<Record<string, Intrinsic>> = {
  Ref: (name, scope) => scope.ref(text(name)),
  'Fn::GetAtt': (argument, scope) => {
    const [logicalId, ...path] = typeof argument === 'string' ? argument.split('.') : list(argument);
    return scope.attribute(text(logicalId), path.map((part) => text(evaluate(part, scope))).join('.'));
  },
  'Fn::Join': (argument, scope) => {
    const [separator, parts] = list(argument);
    return list(evaluate(parts, scope))
      .map((part) => text(part))
      .join(text(separator));
  },
  'Fn::Sub': (argument, scope) => {
    const [template, variables = {}] = typeof argument === 'string' ? [argument] : list(argument);
    return substitute(text(template), record(evaluate(variables, scope)), scope);
  },
  'Fn::Select': (argument, scope) => {
    const [index, choices] = list(argument);
    return list(evaluate(choices, scope))[Number(evaluate(index, scope))];
  },
  'Fn::Split': (argument, scope) => {
    const [separator, source] = list(argument);
    return text(evaluate(source, scope)).split(text(separator));
  },
  'Fn::ImportValue': (argument, scope) => scope.importValue(text(evaluate(argument, scope))),
  'Fn::FindInMap': (argument, scope) => {
    const [map, first, second] = list(evaluate(argument, scope));
    return scope.mapping(text(map), text(first), text(second));
  },
  'Fn::If': (argument, scope) => {
    const [condition, then, otherwise] = list(argument);
    return evaluate(scope.condition(text(condition)) ? then : otherwise, scope);
  },
  'Fn::Equals': (argument, scope) => {
    const [left, right] = list(evaluate(argument, scope));
    return String(left) === String(right);
  },
  'Fn::Not': (argument, scope) => !evaluate(list(argument)[0], scope),
  'Fn::And': (argument, scope) => list(argument).every((part) => evaluate(part, scope)),
  'Fn::Or': (argument, scope) => list(argument).some((part) => evaluate(part, scope)),
  Condition: (name, scope) => scope.condition(text(name)),
};

/** Returns the value with every intrinsic function evaluated. Properties that are `AWS::NoValue` are removed. */
export function evaluate(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) return value.map((item) => evaluate(item, scope)).filter((item) => item !== noValue);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [first] = entries;
  if (first !== undefined && entries.length === 1) {
    const [name, argument] = first;
    // `Condition` is also a property of policy statements; as a function its argument is the name of a condition.
    const intrinsic = name === 'Condition' && typeof argument !== 'string' ? undefined : intrinsics[name];
    if (intrinsic) return intrinsic(argument, scope);
    if (name.startsWith('Fn::')) throw new Error(`the local run does not support the intrinsic function ${name}`);
  }
  return Object.fromEntries(
    entries
      .map(([name, item]): [string, unknown] => [name, evaluate(item, scope)])
      .filter(([, item]) => item !== noValue),
  );
}

function substitute(template: string, variables: Record<string, unknown>, scope: Scope): string {
  return template.replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
    if (literal) return `\${${name}}`;
    if (Object.hasOwn(variables, name)) return text(variables[name]);
    const dot = name.indexOf('.');
    return text(dot === -1 ? scope.ref(name) : scope.attribute(name.slice(0, dot), name.slice(dot + 1)));
  });
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Error(`expected text and found ${JSON.stringify(value)}`);
}

function list(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`expected a list and found ${JSON.stringify(value)}`);
}

function record(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Error(`expected an object and found ${JSON.stringify(value)}`);
}
