/** Runs functions on a schedule: rules and schedules with a `rate(...)`, as timers. */
import * as z from 'zod/mini';
import { arn } from './arn.ts';
import type { AwsEndpoint } from './aws-endpoint.ts';
import { type Deliver, envelope, type Rule } from './event-bus.ts';
import type { Functions } from './functions.ts';
import { ignored, type Kind } from './kind.ts';
import { type LocalLog, messageOf } from './log.ts';
import type { Model } from './model.ts';
import type { Policies } from './policies.ts';

const scheduleArn = (name: string, group = 'default') => arn('scheduler', `schedule/${group}/${name}`);

const schedule = {
  type: 'AWS::Scheduler::Schedule',
  nameProperty: 'Name',
  attribute: (attribute, name) => ({ Arn: scheduleArn(name) })[attribute],
  properties: z.strictObject({
    Name: z.optional(z.string()),
    ScheduleExpression: z.string(),
    State: z.optional(z.string()),
    Target: z.strictObject({
      Arn: z.string(),
      RoleArn: z.string(),
      Input: z.optional(z.string()),
      DeadLetterConfig: ignored,
      RetryPolicy: ignored,
    }),
    Description: ignored,
    FlexibleTimeWindow: ignored,
    GroupName: z._default(z.string(), 'default'),
    KmsKeyArn: ignored,
    ScheduleExpressionTimezone: ignored,
  }),
} satisfies Kind;

const groupArn = (name: string) => arn('scheduler', `schedule-group/${name}`);

const scheduleGroup = {
  type: 'AWS::Scheduler::ScheduleGroup',
  nameProperty: 'Name',
  attribute: (attribute, name) => ({ Arn: groupArn(name) })[attribute],
  properties: z.unknown(),
} satisfies Kind;

export const scheduleKinds: readonly Kind[] = [schedule, scheduleGroup];

export interface ScheduleServices {
  readonly deliver: Deliver;
  readonly endpoint: AwsEndpoint;
  readonly functions: Functions;
  readonly log: LocalLog;
  readonly policies: Policies;
}

/** Returns a function that stops the timers. */
export function startSchedules(model: Model, rules: readonly Rule[], services: ScheduleServices): () => void {
  for (const { logicalId, properties } of model.all(schedule)) {
    const { GroupName, Target } = properties;
    if (!Target.Arn.startsWith('arn:aws:lambda:'))
      throw new Error(`The local run does not support the target ${Target.Arn} of ${schedule.type} (${logicalId}).`);
    if (!services.policies.trusts(Target.RoleArn, 'scheduler.amazonaws.com', groupArn(GroupName)))
      throw new Error(`The role of ${schedule.type} (${logicalId}) does not allow EventBridge Scheduler to assume it.`);
  }
  const timers: NodeJS.Timeout[] = [];
  for (const rule of rules) {
    if (rule.scheduleExpression === undefined) continue;
    const fire = () => {
      const event = envelope('aws.events', 'Scheduled Event', {}, [rule.arn]);
      for (const target of rule.targets) void services.deliver(rule, target, event);
    };
    timers.push(setInterval(fire, rateMs(rule.scheduleExpression, rule.name)));
  }
  for (const { name, properties } of model.all(schedule)) {
    if (properties.State === 'DISABLED') continue;
    timers.push(
      setInterval(() => void invoke(name, properties, services), rateMs(properties.ScheduleExpression, name)),
    );
  }
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}

async function invoke(
  name: string,
  { GroupName, Target }: z.infer<typeof schedule.properties>,
  { endpoint, functions, log }: ScheduleServices,
): Promise<void> {
  try {
    const one = functions.find(Target.Arn);
    const roleName = Target.RoleArn.split('/').at(-1) ?? '';
    endpoint.authorize({ kind: 'role', roleName, functionName: `schedule ${name}` }, [
      { action: 'lambda:InvokeFunction', resource: one.arn },
    ]);
    // In the event that EventBridge Scheduler sends by default, the detail is text.
    const byDefault = envelope('aws.scheduler', 'Scheduled Event', '{}', [scheduleArn(name, GroupName)]);
    const outcome = await one.pool.invoke(Target.Input === undefined ? byDefault : JSON.parse(Target.Input));
    if (!outcome.ok) throw new Error(`${outcome.errorType}: ${outcome.errorMessage}`);
  } catch (error) {
    log.write('local', '', `Schedule ${name} failed: ${messageOf(error)}`);
  }
}

const unitMs: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Node.js fires a longer timer every millisecond. */
const timerMsMax = 2 ** 31 - 1;

/** Converts `rate(5 minutes)` to milliseconds. */
export function rateMs(expression: string, name: string): number {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const ms = Number(count) * (unitMs[unit ?? ''] ?? Number.NaN);
  if (ms > 0 && ms <= timerMsMax) return ms;
  throw new Error(
    `The local run supports only schedules with rate(...) of at most 24 days: ${name} has ${expression}.`,
  );
}
