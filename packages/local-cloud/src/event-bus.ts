/** The event bus: `PutEvents`, rules with patterns, and their targets. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { arn, localAccount, localRegion } from './arn.ts';
import { AwsError } from './aws-error.ts';
import { type Body, eventBusArn } from './aws-permissions.ts';
import { checkPattern, matches, type Pattern } from './event-pattern.ts';
import { ignored, type Kind } from './kind.ts';
import { messageOf } from './log.ts';
import type { Model } from './model.ts';

const bus = {
  type: 'AWS::Events::EventBus',
  nameProperty: 'Name',
  attribute: (attribute, name) => ({ Arn: eventBusArn(name), Name: name })[attribute],
  properties: z.strictObject({
    Name: z.string(),
    DeadLetterConfig: ignored,
    Description: ignored,
    KmsKeyIdentifier: ignored,
    LogConfig: ignored,
    Policy: ignored,
    Tags: ignored,
  }),
} satisfies Kind;

const rule = {
  type: 'AWS::Events::Rule',
  nameProperty: 'Name',
  attribute: (attribute, name) => ({ Arn: ruleArn(name) })[attribute],
  properties: z.strictObject({
    Name: z.optional(z.string()),
    EventBusName: z.optional(z.string()),
    EventPattern: z.optional(z.record(z.string(), z.unknown())),
    ScheduleExpression: z.optional(z.string()),
    State: z.optional(z.string()),
    Targets: z._default(
      z.array(
        z.strictObject({
          Arn: z.string(),
          Id: z.string(),
          DeadLetterConfig: z.optional(z.strictObject({ Arn: z.string() })),
          RetryPolicy: ignored,
        }),
      ),
      [],
    ),
    Description: ignored,
    Tags: ignored,
  }),
} satisfies Kind;

export const eventBusKinds: readonly Kind[] = [bus, rule];

export interface Rule {
  readonly name: string;
  readonly arn: string;
  readonly pattern?: Pattern | undefined;
  readonly scheduleExpression?: string | undefined;
  readonly busName: string;
  readonly targets: z.infer<typeof rule.properties>['Targets'];
}

/** The ARN without the bus name, which AWS adds: a reference to a rule contains only its name. */
function ruleArn(name: string): string {
  return arn('events', `rule/${name}`);
}

/** Returns the enabled rules. A pattern with an unsupported matcher stops the start. */
export function readRules(model: Model): Rule[] {
  return model
    .all(rule)
    .filter(({ properties }) => properties.State !== 'DISABLED')
    .map(({ name, logicalId, properties }) => {
      const unknown = properties.Targets.find(({ Arn }) => !/:(?:sqs|lambda):/.test(Arn));
      if (unknown)
        throw new Error(`The local run does not support the target ${unknown.Arn} of ${rule.type} (${logicalId}).`);
      const { EventPattern: pattern, EventBusName: bus = 'default' } = properties;
      try {
        if (pattern) checkPattern(pattern);
      } catch (error) {
        throw new Error(`The local run cannot read ${rule.type} (${logicalId}): ${messageOf(error)}.`);
      }
      const { ScheduleExpression: scheduleExpression, Targets: targets } = properties;
      return { name, arn: ruleArn(name), pattern, scheduleExpression, busName: bus.split('/').at(-1) ?? bus, targets };
    });
}

/** The event that targets get. */
export function envelope(source: string, detailType: string, detail: unknown, resources: unknown) {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': detailType,
    source,
    account: localAccount,
    time: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    region: localRegion,
    resources: Array.isArray(resources) ? resources : [],
    detail,
  };
}

/** Delivers the event to one target of the rule. Throws if the permission is missing. */
export type Deliver = (
  rule: Rule,
  target: Rule['targets'][number],
  event: ReturnType<typeof envelope>,
) => Promise<void>;

const entriesMax = 10;
const entryBytesMax = 256 * 1_024;

/** Executes `PutEvents`, which returns 200 even if entries failed, as in AWS. */
export async function putEvents(
  body: Body,
  rules: readonly Rule[],
  deliver: Deliver,
): Promise<Record<string, unknown>> {
  const entries = Array.isArray(body.Entries) ? (body.Entries as Body[]) : [];
  if (entries.length === 0 || entries.length > entriesMax) {
    throw new AwsError(
      'ValidationException',
      `1 validation error detected: Value at 'entries' failed to satisfy constraint: Member must have length between 1 and ${entriesMax}`,
    );
  }
  if (entries.reduce((sum, entry) => sum + bytesOf(entry), 0) > entryBytesMax) {
    throw new AwsError('ValidationException', 'Total size of the entries in the request is over the limit.');
  }
  const results = await Promise.all(entries.map((entry) => putEvent(entry, rules, deliver)));
  return { FailedEntryCount: results.filter(({ ErrorCode }) => ErrorCode).length, Entries: results };
}

/** The bytes that EventBridge counts for an entry ("Calculating PutEvents event entry size" in its user guide). */
function bytesOf({ Time, Source, DetailType, Detail, Resources }: Body): number {
  const texts = [Source, DetailType, Detail, ...(Array.isArray(Resources) ? Resources : [])];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(String(text ?? '')), Time === undefined ? 0 : 14);
}

/** Publishes one entry. Without a bus name it goes to the default bus, to which AWS services publish. */
export async function putEvent(
  entry: Body,
  rules: readonly Rule[],
  deliver: Deliver,
): Promise<Record<string, unknown>> {
  const { Source: source, DetailType: detailType, Detail: detail, EventBusName: busName = 'default' } = entry;
  if (typeof source !== 'string' || typeof detailType !== 'string' || typeof detail !== 'string') {
    return {
      ErrorCode: 'InvalidArgument',
      ErrorMessage: 'Parameter Source, DetailType or Detail is not valid. Reason: it is required.',
    };
  }
  const parsed = parseDetail(detail);
  if (parsed === undefined) return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
  const event = envelope(source, detailType, parsed, entry.Resources);
  const shortName = String(busName).split('/').at(-1);
  for (const rule of rules) {
    if (rule.busName !== shortName || !rule.pattern || !matches(rule.pattern, event)) continue;
    for (const target of rule.targets) await deliver(rule, target, event);
  }
  return { EventId: event.id };
}

function parseDetail(detail: string): object | undefined {
  try {
    const value: unknown = JSON.parse(detail);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
