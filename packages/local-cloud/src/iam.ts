/** IAM's decision: may this principal do this action on this resource? Pure; the policies come from `policies.ts`. */
import * as z from 'zod/mini';

const oneOrMore = <T extends z.ZodMiniType>(item: T) =>
  z.pipe(
    z.union([item, z.array(item)]),
    z.transform((value): z.infer<T>[] => (Array.isArray(value) ? value : [value])),
  );
const texts = oneOrMore(z.string());

const principals = z.union([z.literal('*'), z.record(z.string(), texts)]);

export const policyDocument = z.strictObject({
  Version: z.optional(z.string()),
  Id: z.optional(z.string()),
  Statement: oneOrMore(
    z.strictObject({
      Sid: z.optional(z.string()),
      Effect: z.enum(['Allow', 'Deny']),
      Action: texts,
      Resource: z.optional(texts),
      Principal: z.optional(principals),
      Condition: z.optional(
        z.record(z.string(), z.record(z.string(), oneOrMore(z.union([z.string(), z.boolean(), z.number()])))),
      ),
    }),
  ),
});
export type PolicyDocument = z.infer<typeof policyDocument>;
export type Statement = PolicyDocument['Statement'][number];

export interface Permission {
  /** `dynamodb:PutItem`. */
  readonly action: string;
  readonly resource: string;
  /** Condition keys of the request, such as `dynamodb:LeadingKeys`. */
  readonly context?: Readonly<Record<string, readonly string[]>>;
}

export type Decision = 'allow' | 'implicit deny' | 'explicit deny';

/** What holds of every call: it would travel over TLS in the account. */
const everyCall: Readonly<Record<string, readonly string[]>> = { 'aws:SecureTransport': ['true'] };

/** An explicit deny wins over every allow; without an allow it is denied. */
export function decide(statements: readonly Statement[], permission: Permission): Decision {
  let decision: Decision = 'implicit deny';
  for (const statement of statements) {
    if (!applies(statement, permission)) continue;
    if (statement.Effect === 'Deny') return 'explicit deny';
    decision = 'allow';
  }
  return decision;
}

/** The statements of a resource's policy that speak of the principal, an arn or a service's name. */
export function statementsFor(document: PolicyDocument, principal: string): Statement[] {
  return document.Statement.filter(({ Principal }) => {
    if (Principal === undefined) return false;
    if (Principal === '*') return true;
    return Object.values(Principal)
      .flat()
      .some((name) => name === '*' || name === principal);
  });
}

function applies(statement: Statement, { action, resource, context = {} }: Permission): boolean {
  return (
    statement.Action.some((pattern) => glob(pattern.toLowerCase(), action.toLowerCase())) &&
    (statement.Resource ?? ['*']).some((pattern) => glob(pattern, resource)) &&
    conditionsHold(statement, { ...everyCall, ...context })
  );
}

/** By name. Another operator stops the start. */
const operators: Readonly<Record<string, (actual: string, expected: string) => boolean>> = {
  StringEquals: (actual, expected) => actual === expected,
  StringLike: (actual, expected) => glob(expected, actual),
  ArnEquals: (actual, expected) => glob(expected, actual),
  ArnLike: (actual, expected) => glob(expected, actual),
  Bool: (actual, expected) => actual === expected,
};

function conditionsHold(statement: Statement, context: Readonly<Record<string, readonly string[]>>): boolean {
  return Object.entries(statement.Condition ?? {}).every(([operator, keys]) =>
    Object.entries(keys).every(([key, expected]) => holds(operator, valuesOf(key, context), expected.map(String))),
  );
}

/** Names of keys are the same in small letters and in capitals. */
function valuesOf(key: string, context: Readonly<Record<string, readonly string[]>>): readonly string[] | undefined {
  return context[key] ?? Object.entries(context).find(([name]) => name.toLowerCase() === key.toLowerCase())?.[1];
}

/** A key that the request lacks meets no condition. */
function holds(name: string, actual: readonly string[] | undefined, expected: readonly string[]): boolean {
  const operator = operators[name];
  if (!operator) throw new Error(`A condition operator that is not known: ${name}`);
  return actual?.every((value) => expected.some((item) => operator(value, item))) ?? false;
}

/** The condition operators of a policy that this file cannot judge. */
export function unknownOperators(document: PolicyDocument): string[] {
  return document.Statement.flatMap((statement) => Object.keys(statement.Condition ?? {})).filter(
    (name) => !(name in operators),
  );
}

/** `*` stands for any text and `?` for one character. */
export function glob(pattern: string, text: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[\\s\\S]*')
    .replaceAll('?', '[\\s\\S]');
  return new RegExp(`^${source}$`).test(text);
}
