/** Functions that run by the clock: rules with a `rate(...)`, as timers. */
import type { Deliver } from './event-bus.ts';
import { envelope, type Rule } from './event-bus.ts';

/** Returns what stops the timers. */
export function startSchedules(rules: readonly Rule[], deliver: Deliver): () => void {
  const timers: NodeJS.Timeout[] = [];
  for (const rule of rules) {
    if (rule.scheduleExpression === undefined) continue;
    const fire = () => {
      const event = envelope('aws.events', 'Scheduled Event', {}, { resources: [rule.arn] });
      for (const target of rule.targets) void deliver(rule, target, event);
    };
    timers.push(setInterval(fire, rateMs(rule.scheduleExpression, rule.name)));
  }
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}

const unitMs: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** `rate(5 minutes)` in milliseconds. */
export function rateMs(expression: string, name: string): number {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const ms = Number(count) * (unitMs[unit ?? ''] ?? Number.NaN);
  if (ms > 0) return ms;
  throw new Error(`The local run knows schedules with a rate only: ${expression} of ${name} is another.`);
}
