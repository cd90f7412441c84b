/** Decides as IAM whether a principal may do an action on a resource. Pure; the policies come from `policies.ts`. */
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
      Action: z.optional(texts),
      NotAction: z.optional(texts),
      Resource: z.optional(texts),
      NotResource: z.optional(texts),
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
  /** The action, such as `dynamodb:PutItem`. */
  readonly action: string;
  readonly resource: string;
  /** Condition keys of the request, such as `kms:ViaService`. */
  readonly context?: Context;
}

/** The condition keys that calls have here, as in AWS. A policy with a condition on another key stops the start. */
const conditionKeys = [
  'aws:SecureTransport',
  'aws:SourceAccount',
  'aws:SourceArn',
  'dynamodb:EnclosingOperation',
  'events:detail-type',
  'events:eventBusInvocation',
  'events:source',
  'kms:ViaService',
  'ses:FromAddress',
] as const;

type Context = Readonly<Partial<Record<(typeof conditionKeys)[number], readonly string[]>>>;

export type Decision = 'allow' | 'implicit deny' | 'explicit deny';

/** Condition keys of every call: in the account it would use TLS. */
const everyCall: Context = { 'aws:SecureTransport': ['true'] };

/** An explicit deny overrides every allow; without an allow the result is a deny. */
export function decide(statements: readonly Statement[], permission: Permission): Decision {
  let decision: Decision = 'implicit deny';
  for (const statement of statements) {
    if (!applies(statement, permission)) continue;
    if (statement.Effect === 'Deny') return 'explicit deny';
    decision = 'allow';
  }
  return decision;
}

/** Returns the statements of a resource policy that apply to the principal, an ARN or a service name. */
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
  const actionMatches = statement.NotAction
    ? !statement.NotAction.some((pattern) => glob(pattern.toLowerCase(), action.toLowerCase()))
    : (statement.Action ?? []).some((pattern) => glob(pattern.toLowerCase(), action.toLowerCase()));
  if (!actionMatches) return false;
  const resourceMatches = statement.NotResource
    ? !statement.NotResource.some((pattern) => glob(pattern, resource))
    : (statement.Resource ?? ['*']).some((pattern) => glob(pattern, resource));
  return resourceMatches && conditionsHold(statement, { ...everyCall, ...context });
}

type Operator = (actual: string, expected: string) => boolean;

const operators = {
  StringEquals: (actual, expected) => actual === expected,
  StringEqualsIgnoreCase: (actual, expected) => actual.toLowerCase() === expected.toLowerCase(),
  StringLike: (actual, expected) => glob(expected, actual),
  ArnEquals: (actual, expected) => glob(expected, actual),
  ArnLike: (actual, expected) => glob(expected, actual),
  Bool: (actual, expected) => actual === expected,
} as const satisfies Record<string, Operator>;

const negations = {
  StringNotEquals: operators.StringEquals,
  StringNotEqualsIgnoreCase: operators.StringEqualsIgnoreCase,
  StringNotLike: operators.StringLike,
  ArnNotEquals: operators.ArnEquals,
  ArnNotLike: operators.ArnLike,
} as const satisfies Record<string, Operator>;

/** The operators by name, including the negated ones. */
const judges: Readonly<Record<string, Operator>> = { ...operators, ...negations };

function conditionsHold(statement: Statement, context: Context): boolean {
  return Object.entries(statement.Condition ?? {}).every(([written, keys]) =>
    Object.entries(keys).every(([key, expected]) => holds(written, valuesOf(key, context), expected.map(String))),
  );
}

/** The names of condition keys are case-insensitive. */
function valuesOf(key: string, context: Context): readonly string[] | undefined {
  return Object.entries(context).find(([name]) => name.toLowerCase() === key.toLowerCase())?.[1];
}

function holds(written: string, actual: readonly string[] | undefined, expected: readonly string[]): boolean {
  const { set, name, ifExists } = operatorParts(written);
  if (name === 'Null') return expected.includes(String(actual === undefined));
  if (actual === undefined) {
    // A negated operator is true for a missing key; ForAllValues is true for no values.
    return ifExists || set === 'ForAllValues' || name in negations;
  }
  const judge = judges[name];
  if (!judge) throw new Error(`The condition operator ${name} is unknown.`);
  const one = (value: string) => expected.some((item) => judge(value, item)) !== name in negations;
  return set === 'ForAnyValue' ? actual.some(one) : actual.every(one);
}

function operatorParts(written: string): { set: string; name: string; ifExists: boolean } {
  const [last = '', set = ''] = written.split(':').reverse();
  const ifExists = last.endsWith('IfExists');
  return { set, name: ifExists ? last.slice(0, -'IfExists'.length) : last, ifExists };
}

/** Returns the condition operators and condition keys of a policy that are not supported here. */
export function unknownConditions(document: PolicyDocument): string[] {
  const known = new Set<string>(conditionKeys.map((key) => key.toLowerCase()));
  const conditions = document.Statement.flatMap(({ Condition }) => Object.entries(Condition ?? {}));
  return conditions.flatMap(([written, keys]) => {
    const { name } = operatorParts(written);
    return [
      ...(name === 'Null' || name in judges ? [] : [`operator ${written}`]),
      ...Object.keys(keys).flatMap((key) => (known.has(key.toLowerCase()) ? [] : [`key ${key}`])),
    ];
  });
}

/** `*` matches any text and `?` one character. */
export function glob(pattern: string, text: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[\\s\\S]*')
    .replaceAll('?', '[\\s\\S]');
  return new RegExp(`^${source}$`).test(text);
}
